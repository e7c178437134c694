import { expect, test } from 'vitest';
import { environmentWithDotenv } from '../../../../src/config/secrets/dotenv.ts';
import { hijacksProcess, redirectsTraffic } from '../../../../src/config/secrets/environmentNames.ts';

test('.env adds variables that are not set in the process, and the process wins', () => {
	const { env } = environmentWithDotenv('A="from file" # why\nexport B=file\nE=file\n', {
		B: 'process',
		C: undefined,
		E: '',
	});
	expect(env).toEqual({ A: 'from file', B: 'process', E: '' });
});

test('variables that redirect traffic or hijack a process are ignored in .env, but not in the process', () => {
	const dotenv =
		'https_proxy=http://evil\nALL_PROXY=x\nNODE_OPTIONS=-r x\nNODE_TLS_REJECT_UNAUTHORIZED=0\nLD_PRELOAD=x\nPath=x\nKEY=k\n';
	const { env, ignored } = environmentWithDotenv(dotenv, { PATH: '/bin' });
	expect(env).toEqual({ KEY: 'k', PATH: '/bin' });
	expect(ignored.toSorted()).toEqual([
		'ALL_PROXY',
		'LD_PRELOAD',
		'NODE_OPTIONS',
		'NODE_TLS_REJECT_UNAUTHORIZED',
		'Path',
		'https_proxy',
	]);
});

const steering =
	'GOFLAGS GOPROXY GOTOOLCHAIN GOAUTH GOSUMDB GONOSUMDB GOINSECURE DOCKER_HOST DOCKER_CONFIG DOCKER_CONTEXT KUBECONFIG GIT_ASKPASS SSH_ASKPASS ' +
	'SUDO_ASKPASS GIT_SSH_COMMAND GIT_EDITOR GIT_PAGER GIT_CONFIG_COUNT GIT_CONFIG_KEY_0 GIT_SSL_NO_VERIFY GIT_SSL_CAINFO GIT_PROXY_COMMAND ' +
	'GIT_TEMPLATE_DIR EDITOR VISUAL PAGER BROWSER REQUESTS_CA_BUNDLE CURL_CA_BUNDLE AWS_CA_BUNDLE SSL_CERT_FILE NODE_EXTRA_CA_CERTS DENO_CERT ' +
	'PIP_CERT PIP_INDEX_URL PIP_EXTRA_INDEX_URL PIP_CONFIG_FILE PIP_TRUSTED_HOST UV_INDEX_URL UV_DEFAULT_INDEX UV_PYTHON UV_INSECURE_HOST ' +
	'npm_config_registry NPM_CONFIG_SCRIPT_SHELL YARN_REGISTRY COREPACK_NPM_REGISTRY BUN_CONFIG_REGISTRY CARGO_HOME CARGO_HTTP_PROXY ' +
	'CARGO_HTTP_CAINFO CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER CARGO_REGISTRIES_CRATES_IO_INDEX RUSTC RUSTFLAGS RUSTC_WORKSPACE_WRAPPER ' +
	'CC CXX LD_AUDIT DYLD_INSERT_LIBRARIES MAKEFLAGS PYTHONWARNINGS PYTHONPATH PERL5OPT RUBYOPT GEM_PATH BUNDLE_GEMFILE JAVA_HOME ' +
	'GRADLE_OPTS GRADLE_USER_HOME MAVEN_ARGS JAVA_TOOL_OPTIONS DOTNET_ROOT DOTNET_STARTUP_HOOKS CORECLR_PROFILER LUA_INIT_5_4 LUA_CPATH ' +
	'R_PROFILE_USER JULIA_LOAD_PATH ERL_FLAGS ELIXIR_ERL_OPTIONS PUPPETEER_EXECUTABLE_PATH PLAYWRIGHT_CHROMIUM_EXECUTABLE_PATH CHROME_PATH ' +
	'BASH_ENV BASH_FUNC_ls%% SHELLOPTS HOSTALIASES WGETRC CURL_HOME XDG_DATA_HOME XDG_CONFIG_DIRS APPDATA PSModulePath AWS_CONFIG_FILE ' +
	'AWS_ENDPOINT_URL_S3 HF_ENDPOINT http_proxy GRPC_PROXY GLOBAL_AGENT_HTTPS_PROXY OPENSSL_MODULES SSH_AUTH_SOCK GTK_MODULES';
const ordinary =
	'OPENAI_API_KEY GITHUB_TOKEN NPM_TOKEN DOCKER_PASSWORD DOCKER_USERNAME DB_HOST GIT_TOKEN GIT_AUTHOR_NAME PYTHONUNBUFFERED PYTHONUTF8 ' +
	'DOTNET_ENVIRONMENT GOOGLE_API_KEY GOOGLE_APPLICATION_CREDENTIALS API_URL API_BASE_URL AWS_PROFILE AWS_REGION AWS_SECRET_ACCESS_KEY ' +
	'CARGO_REGISTRY_TOKEN UV_PUBLISH_TOKEN YARN_NPM_AUTH_TOKEN PROXY_PASSWORD DATABASE_URL PORT ENVIRONMENT CCC CA_TOKEN GONG_API_KEY ' +
	'REGISTRY_PASSWORD KUBE_TOKEN TZ LANG DEBUG LOG_LEVEL R_KEY GO_KEY';

test.each(steering.split(' '))('%s is ignored in .env', (name) => {
	expect(hijacksProcess(name) || redirectsTraffic(name) || name.startsWith('NODE_')).toBe(true);
});

test.each(ordinary.split(' '))('%s is read from .env', (name) => {
	expect(environmentWithDotenv(`${name}=x`, {})).toEqual({ env: { [name]: 'x' }, ignored: [] });
});

test('variables of .env do not enter the process', () => {
	environmentWithDotenv('MCP_TEST_OF_DOTENV=1', process.env);
	expect(process.env.MCP_TEST_OF_DOTENV).toBeUndefined();
});

test('without a .env file, the environment is that of the process', () => {
	expect(environmentWithDotenv(undefined, { A: '1' })).toEqual({ env: { A: '1' }, ignored: [] });
});
