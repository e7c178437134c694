import { describe, expect, test, vi } from 'vitest';
import { secretIn, spansOfArguments } from '../../../../src/common/secrets/secretSpans.ts';
import { environmentName } from '../../../../src/common/secrets/secretVerdict.ts';

// Counts how often names are derived, which is the slow part of an address with thousands of parameters.
vi.mock(import('../../../../src/common/secrets/secretVerdict.ts'), { spy: true });

/** Made up, in the shape of the real ones. */
const mixed = 'q7Zt2mXw9Lk4Vn8Rd3Hs6';
const jwt = `eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoiYW5vbiJ9.${mixed}`;
const uuid = '3f2b8c1d-9a4e-4f6b-8d2c-7e5a1b0c9d8f';

describe('the value of a setting is a secret, with the evidence for it', () => {
	test.each(
		`
			GITHUB_PAT GITHUB_TOKEN_PROD GH_TOKEN_2 DB_PASS DB_PASSWORD DATABASE_PASSWORD MYSQL_PWD
			MYSQL_ROOT_PASSWORD PGPASSWORD PGPASS REDISCLI_AUTH SSHPASS SSH_PASSPHRASE BORG_PASSPHRASE
			SUPABASE_JWT SUPABASE_SERVICE_ROLE_KEY SUPABASE_ANON_KEY JWT_SECRET OPENAI_API_KEY
			OPENAI_API_KEY_V2 OPENAI_KEY openaiApiKey braveApiKey ANTHROPIC_API_KEY TAVILY_API_KEY
			FIRECRAWL_API_KEY AZURE_SEARCH_KEY OCP_APIM_SUBSCRIPTION_KEY SLACK_SIGNING_SECRET
			SLACK_MCP_XOXC_TOKEN TWILIO_AUTH_TOKEN STRIPE_SECRET_KEY_TEST NOTION_API_KEY LINEAR_API_KEY
			JIRA_API_TOKEN CONFLUENCE_PASS NPM_TOKEN _authToken NGROK_AUTHTOKEN DOCKER_HUB_PAT AIRTABLE_PAT
			N8N_JWT RAILS_SECRET_KEY_BASE VAULT_SECRET_ID CLIENT_SECRET clientSecret ADMIN_CREDS
			ENCRYPTION_KEY N8N_LICENSE_KEY WALLET_MNEMONIC SEED_PHRASE API_KEYS AUTH_TOKENS
			Proxy-Authorization X-Api-Key x-goog-api-key X-Subscription-Token xi-api-key
			CF-Access-Client-Secret X-Auth-Token
		`
			.trim()
			.split(/\s+/),
	)('by its name alone: %s', (name) => {
		expect(secretIn(name, 'abcdef')).toMatchObject({ evidence: 'name', start: 0, end: 6 });
	});

	test.each<[name: string, value: string, secret?: string]>([
		['GITHUB_PERSONAL_ACCESS_TOKEN', `ghp_${mixed}`],
		['REDIS_PASSWORD', '1234'],
		['DATABASE_PASSWORD', 'correct horse battery'],
		['API_KEYS', 'a1,b2'],
		[
			'SSH_PRIVATE_KEY',
			'-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaA==\n-----END OPENSSH PRIVATE KEY-----',
		],
		['SUPABASE_ACCESS_TOKEN', 'sbp_0123456789'],
		['AWS_ACCESS_KEY_ID', 'AKIAABCDEFGHIJKLMNOP'],
		['AWS_SECRET_ACCESS_KEY', '/wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY+1'],
		['AWS_SESSION_TOKEN', `${mixed}//`],
		['AWS_BEARER_TOKEN_BEDROCK', mixed],
		['SLACK_BOT_TOKEN', `xoxb-${mixed}`],
		['SLACK_COOKIE', 'd=xoxd-abc'],
		['DISCORD_TOKEN', 'MTA.abc.def'],
		['TELEGRAM_BOT_TOKEN', '1234567:AA'],
		['TELEGRAM_API_HASH', '0123456789abcdef'],
		['TELEGRAM_SESSION_STRING', `1BVts${mixed}`],
		['STRIPE_SECRET_KEY', `sk_test_${mixed}`],
		['GOOGLE_CREDENTIALS', '{"type": "service_account"}'],
		['NPM_CONFIG__AUTH', 'YWRhOmh1bnRlcjI='],
		['BASIC_AUTH', 'ada:hunter2'],
		['SESSION_ID', uuid],
		['KEY', mixed],
		['API_KEY', uuid],
		['Authorization', `Bearer ${mixed}`, mixed],
		['Authorization', 'Basic YWRhOmh1bnRlcjI=', 'YWRhOmh1bnRlcjI='],
		['Cookie', 'a=b; c=d'],
	])('%s=%s', (name, value, secret = value) => {
		const span = secretIn(name, value);
		expect(span?.evidence).toBe('name');
		expect(value.slice(span?.start, span?.end)).toBe(secret);
	});

	test.each<[name: string, value: string, evidence: string, secret: string]>([
		['GH', `ghp_${mixed}0123456789`, 'issuer', `ghp_${mixed}0123456789`],
		['MODEL', `sk-ant-api03-${mixed}`, 'issuer', `sk-ant-api03-${mixed}`],
		['X', `use sk-proj-${mixed} here`, 'issuer', `sk-proj-${mixed}`],
		['X', `AIza${mixed}01234567890123`, 'issuer', `AIza${mixed}01234567890123`],
		['X', `hf_${mixed}abcdefghij`, 'issuer', `hf_${mixed}abcdefghij`],
		['X', `glpat-${mixed}`, 'issuer', `glpat-${mixed}`],
		['X', `ntn_${mixed}abcdefghij`, 'issuer', `ntn_${mixed}abcdefghij`],
		['X', `tvly-dev-${mixed}`, 'issuer', `tvly-dev-${mixed}`],
		['X', 'AKIAABCDEFGHIJKLMNOP', 'issuer', 'AKIAABCDEFGHIJKLMNOP'],
		['ID', jwt, 'issuer', jwt],
		['X', `SG.${mixed}.${mixed}`, 'issuer', `SG.${mixed}.${mixed}`],
		['HEADER', `Bearer ${mixed}`, 'scheme', mixed],
		['EXTRA', `-H Authorization: bearer ${mixed}`, 'name', mixed],
		['DATABASE_URL', 'postgres://ada:p%40ss@db.test/prod', 'password', 'p%40ss'],
		['REDIS_URL', 'redis://:hunter2@cache:6379/0', 'password', 'hunter2'],
		['MONGO_URI', 'mongodb+srv://ada:a@b@c.test/x?w=1', 'password', 'a@b'],
		['ORIGIN', `https://x${mixed}@git.test/r.git`, 'password', `x${mixed}`],
		['AZURE', 'Endpoint=sb://x.test/;SharedAccessKeyName=root;SharedAccessKey=a1b2=', 'name', 'a1b2='],
		['DB', 'Server=x;User Id=sa;Password=P@ss1;Encrypt=true', 'name', 'P@ss1'],
		['DSN', 'host=x user=ada password=hunter2 dbname=y', 'name', 'hunter2'],
		['URL', 'https://x.test/mcp?api_key=abc&region=eu#top', 'name', 'abc'],
		['URL', `https://x.test/mcp?profile=a&key=${uuid}`, 'name', uuid],
		['URL', `https://x.blob.test/c?sv=1&sig=${mixed}%3D`, 'name', `${mixed}%3D`],
		['URL', `https://mcp.x.test/s/${mixed}${mixed}/sse`, 'path', `${mixed}${mixed}`],
		[
			'HOOK',
			'https://hooks.slack.com/services/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',
			'path',
			'a1B2c3D4e5F6g7H8i9J0k1L2',
		],
		['HEADERS', '{"X-Api-Key": "abc", "Version": "2"}', 'name', 'abc'],
		['CONFIG', '{\\"braveApiKey\\":\\"abc\\"}', 'name', 'abc'],
		['CONFIG', "{'password': 'abc'}", 'name', 'abc'],
		['RUN', 'NOTION_TOKEN=abc notion-mcp', 'name', 'abc'],
		['RUN', 'notion-mcp --token abc -v', 'name', 'abc'],
	])('when a part of the value of %s is one: %s', (name, value, evidence, secret) => {
		const span = secretIn(name, value);
		expect(span?.evidence).toBe(evidence);
		expect(value.slice(span?.start, span?.end)).toBe(secret);
	});

	test.each<[args: string[], secret: string]>([
		[['--api-key', 'k1k2'], 'k1k2'],
		[['--api-key=k1k2'], 'k1k2'],
		[['--password', 'swordfish'], 'swordfish'],
		[['-token', 'abc'], 'abc'],
		[['--key', mixed], mixed],
		[['run', '-e', 'SLACK_TOKEN=abc', 'image'], 'abc'],
		[['run', '--env=MYSQL_PWD=abc', 'image'], 'abc'],
		[['--header', 'Authorization: Bearer abc'], 'abc'],
		[['--header', 'X-API-Key:abc'], 'abc'],
		[['--header=X-API-Key: abc1'], 'abc1'],
		[['--set', 'db.password=abc'], 'abc'],
		[['-c', 'MYSQL_PWD=abc exec mysql-mcp'], 'abc'],
		[['-lc', 'exec tool --password abc -v'], 'abc'],
		[['postgresql://ada:abc@db/x'], 'abc'],
		[['--connection-string', 'Server=x;Pwd=abc;'], 'abc'],
		[['--config', '{"apiKey":"abc"}'], 'abc'],
		[['mcp-remote', `https://x.test/${mixed}${mixed}/sse`], `${mixed}${mixed}`],
		[['server', `ghp_${mixed}0123456789`], `ghp_${mixed}0123456789`],
	])('when it is in the arguments %j', (args, secret) => {
		const spans = spansOfArguments('', args);
		const found = spans.flatMap((of, index) =>
			of.flatMap(({ kind, start, end }) => (kind === 'secret' ? [args[index]?.slice(start, end)] : [])),
		);
		expect(found).toEqual([secret]);
	});
});

describe('the value of a setting is not a secret', () => {
	test.each<[name: string, value: string]>([
		['MAX_TOKENS', '4096'],
		['TOKEN_LIMIT', '100000'],
		['MAX_TOKEN', 'abc'],
		['NEXT_TOKEN', 'abc'],
		['nextPageToken', 'abc'],
		['STOP_TOKEN', 'END'],
		['TOKENIZER', 'cl100k_base'],
		['TOKEN_URL', 'https://x.test/oauth/token'],
		['TOKEN_FILE', '/run/secrets/token'],
		['TOKEN_TYPE', 'bearer'],
		['PASSWORD_FILE', '/run/secrets/db'],
		['PASSWORD_MIN_LENGTH', 'twelve'],
		['SECRET_NAME', 'prod/db'],
		['SECRETS_DIR', '/run/secrets'],
		['SECRET_ARN', 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbCdEf'],
		['AWS_REGION', 'us-east-1'],
		['AWS_PROFILE', 'default'],
		['AWS_ACCOUNT_ID', '123456789012'],
		['KEY_ID', 'abc-1'],
		['KEY_PATH', '/home/ada/.ssh/id_ed25519'],
		['SSH_KEY', '/home/ada/.ssh/id_ed25519'],
		['SSH_KEY', '~/.ssh/id_ed25519'],
		['SSL_KEY', 'server.key'],
		['GOOGLE_APPLICATION_CREDENTIALS', 'C:\\Users\\ada\\gcp.json'],
		['PUBLIC_KEY', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIabc'],
		['STRIPE_PUBLISHABLE_KEY', `pk_test_${mixed}`],
		['JIRA_PROJECT_KEY', 'PROJ'],
		['SPACE_KEY', 'DOCS1'],
		['PRIMARY_KEY', 'user_id'],
		['PARTITION_KEY', 'tenant-1'],
		['SORT_KEY', 'created_at'],
		['CACHE_KEY', 'v2:user:42'],
		['HOTKEY', 'ctrl+k'],
		['KEYBOARD', 'us-intl'],
		['MONKEY', 'george'],
		['KEY', 'us-east-1'],
		['KEY', 'name'],
		['COMPASS', 'north'],
		['BYPASS', 'localhost'],
		['BY_PASS', 'localhost'],
		['PASSTHROUGH', 'yes'],
		['MULTI_PASS', 'enabled'],
		['PWD', '/work'],
		['OLDPWD', '/work'],
		['PATH', '/usr/bin:/bin'],
		['PATTERN', '^a+$'],
		['PAT_H', 'abc'],
		['AUTHOR', 'Ada Lovelace'],
		['AUTH_METHOD', 'oauth2'],
		['AUTH', 'basic'],
		['HTTP_AUTH', 'none'],
		['OAUTH_CLIENT_ID', 'abc.apps.test'],
		['AUTH_URL', 'https://login.x.test/auth'],
		['SESSION', 'default'],
		['SESSION_TIMEOUT', '3600'],
		['SESSION_NAME', 'work'],
		['SIGNATURE', 'Ada'],
		['SEED', '42'],
		['CREDENTIAL_HELPER', 'osxkeychain'],
		['USE_AUTH_TOKEN', 'false'],
		['API_KEY', ''],
		['API_KEY', 'none'],
		['API_KEY', `\${env:API_KEY}`],
		['API_KEY', `\${input:key}`],
		['API_KEY', `Bearer \${env:API_KEY}`],
		['API_KEY', '$API_KEY'],
		['API_KEY', '%API_KEY%'],
		['API_KEY', 'op://vault/item/field'],
		['API_KEY_ENV', 'MY_KEY_NAME'],
		['LOG_LEVEL', 'debug'],
		['PORT', '8080'],
		['NODE_ENV', 'production'],
		['MODEL', 'gpt-4o-mini-2024-07-18'],
		['BASE_URL', 'https://api.x.test/v1'],
		['DATABASE_URL', 'postgres://localhost:5432/app'],
		['DATABASE_URL', 'postgres://ada@localhost/app'],
		['REPO', 'ssh://git@github.com/ada/notes.git'],
		['REPO', 'git@github.com:ada/notes.git'],
		['SOURCE', 'https://github.com/ada/notes/archive/0123456789abcdef0123456789abcdef01234567.zip'],
		['DIGEST', 'sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef'],
		['COMMIT', '0123456789abcdef0123456789abcdef01234567'],
		['PROJECT_ID', uuid],
		['IMAGE', 'ghcr.io/github/github-mcp-server:v0.13.0'],
		['CSS', 'sk-spinner-circle-container-large'],
		['HELP', 'basic authentication is off, give a token: it is required'],
		['Content-Type', 'application/json'],
		['Accept', 'application/json, text/event-stream'],
		['X-Team', 'blue'],
		['MCP-Protocol-Version', '2025-06-18'],
		['Idempotency-Key', 'order-1'],
	])('%s=%s', (name, value) => {
		expect(secretIn(name, value)).toBeUndefined();
	});

	test.each<[args: string[]]>([
		[['-y', '@modelcontextprotocol/server-filesystem', '/home/ada']],
		[['--key', './server.pem']],
		[['--token-file', 'abc']],
		[['-e', 'GITHUB_TOKEN']],
		[['--password-stdin']],
		[['--max-tokens', '4096']],
		[['--auth', 'oauth']],
		[['--session', 'work']],
		[['--api-key', `\${env:API_KEY}`]],
		[['mcp-remote', 'https://mcp.linear.app/sse']],
		[['--from', 'git+https://github.com/ada/notes@0123456789abcdef0123456789abcdef01234567', 'notes']],
		[['-e', 'console.log(process.env.TOKEN, key = name)']],
		[['run', '--user', '1000:1000', 'image@sha256:0123456789abcdef']],
		[['--header', 'Accept: application/json']],
	])('when it is in the arguments %j, either', (args) => {
		expect(spansOfArguments('', args).flat()).toEqual([]);
	});

	test('and the search for secrets derives no variable names needlessly', () => {
		vi.mocked(environmentName).mockClear();
		expect(secretIn('url', `https://x.test/mcp?${'key=1&'.repeat(4_400)}`)).toBeUndefined();
		expect(vi.mocked(environmentName).mock.calls.length).toBeLessThan(10);
	});

	test.each([
		'<token>',
		'YOUR_API_KEY',
		'your-token',
		'xxxxxxxx',
		'change-me',
		'...',
		'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
		'my-token',
		'TOKEN',
	])('when it is the placeholder %s', (value) => {
		expect(secretIn('TOKEN', value)).toBeUndefined();
	});
});
