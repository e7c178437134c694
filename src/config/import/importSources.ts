import { posix, win32 } from 'node:path';

/**
 * How a program writes environment variables in its file, besides `${env:NAME}`, which means the same everywhere: `${NAME}`, or `$NAME` and
 * `%NAME%` too, or not at all.
 */
export type NameSyntax = 'braces' | 'shell' | 'none';

interface Program {
	/** As users know it. */
	readonly name: string;
	readonly names: NameSyntax;
	/** Where it keeps its servers; see `rootsOf`. `*` as the name: each file in the folder. */
	readonly files: readonly string[];
	/** A variable that moves a folder of the home folder elsewhere, with its files. */
	readonly moved?: readonly [variable: string, folder: string];
}

/** Programs that keep MCP servers in files of their own, with the page that says where and how. */
const programs = [
	// https://code.visualstudio.com/docs/agents/reference/mcp-configuration
	{
		name: 'VS Code',
		names: 'none',
		files: ['{folder}/.vscode/mcp.json', '{code}/mcp.json', '{data}/Code/User/mcp.json'],
	},
	// https://code.claude.com/docs/en/mcp; https://docs.rs/lean-ctx/3.1.5/lean_ctx/setup/index.html
	{
		name: 'Claude Code',
		names: 'braces',
		files: ['{folder}/.mcp.json', '{home}/.claude.json'],
		moved: ['CLAUDE_CONFIG_DIR', '{home}'],
	},
	// https://modelcontextprotocol.io/docs/develop/connect-local-servers
	// Packaged for Windows, it has its own folder: anthropics/claude-code#26073, akitaonrails/ai-memory#250
	{
		name: 'Claude Desktop',
		names: 'none',
		files: [
			'{data}/Claude/claude_desktop_config.json',
			'{local}/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude/claude_desktop_config.json',
		],
	},
	// https://cursor.com/docs/context/mcp
	{ name: 'Cursor', names: 'none', files: ['{folder}/.cursor/mcp.json', '{home}/.cursor/mcp.json'] },
	// https://vaadin.com/docs/latest/building-apps/agentic-development/mcp/supported-tools/devin-desktop: it is Devin Desktop now; the files of
	// Codeium are older.
	{
		name: 'Windsurf',
		names: 'none',
		files: [
			'{folder}/.devin/mcp_config.json',
			'{config}/devin/mcp_config.json',
			'{data}/devin/mcp_config.json',
			'{home}/.codeium/windsurf/mcp_config.json',
			'{home}/.codeium/mcp_config.json',
		],
	},
	// https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers; agents: github/docs:
	// content/copilot/reference/custom-agents-configuration.md;
	// https://www.developersdigest.tech/reference/copilot-cli/config-files
	{
		name: 'Copilot CLI',
		names: 'shell',
		files: [
			'{folder}/.github/mcp.json',
			'{folder}/.github/agents/*',
			'{home}/.copilot/mcp-config.json',
			'{home}/.copilot/agents/*',
		],
		moved: ['COPILOT_HOME', '{home}/.copilot'],
	},
	// https://developers.openai.com/codex/mcp, https://developers.openai.com/codex/environment-variables
	{
		name: 'Codex',
		names: 'none',
		files: ['{folder}/.codex/config.toml', '{home}/.codex/config.toml'],
		moved: ['CODEX_HOME', '{home}/.codex'],
	},
	// https://docs.x.ai/build/features/mcp-servers.md
	{ name: 'Grok Build', names: 'braces', files: ['{folder}/.grok/config.toml', '{home}/.grok/config.toml'] },
	// https://geminicli.com/docs/tools/mcp-server, https://antigravity.google/docs/mcp
	{
		name: 'Gemini CLI',
		names: 'shell',
		files: [
			'{folder}/.gemini/settings.json',
			'{folder}/.agents/mcp_config.json',
			'{home}/.gemini/settings.json',
			'{home}/.gemini/antigravity/mcp_config.json',
			'{home}/.gemini/config/mcp_config.json',
		],
	},
	// https://qwenlm.github.io/qwen-code-docs/en/users/features/mcp
	{
		name: 'Qwen Code',
		names: 'shell',
		files: ['{folder}/.qwen/settings.json', '{home}/.qwen/settings.json'],
	},
	// https://opencode.ai/docs/mcp-servers; scopes: anomalyco/opencode: packages/web/src/content/docs/mcp-servers.mdx
	{
		name: 'opencode',
		names: 'none',
		files: [
			'{folder}/opencode.json',
			'{folder}/opencode.jsonc',
			'{folder}/.opencode/opencode.json',
			'{folder}/.opencode/opencode.jsonc',
			'{config}/opencode/opencode.json',
			'{config}/opencode/opencode.jsonc',
			'{data}/OpenCode/opencode.json',
			'{folder}/.agents/mcp.json',
			'{home}/.agents/mcp.json',
			'{local}/opencode/mcp-local.json',
		],
	},
	// https://kiro.dev/docs/mcp/configuration, https://kiro.dev/docs/custom-agents/
	{
		name: 'Kiro',
		names: 'braces',
		files: [
			'{folder}/.kiro/settings/mcp.json',
			'{folder}/.kiro/agents/*',
			'{home}/.kiro/settings/mcp.json',
			'{home}/.kiro/agents/*',
		],
	},
	// https://docs.aws.amazon.com/amazonq/latest/qdeveloper-ug/command-line-mcp-understanding-config.html,
	// https://docs.aws.amazon.com/amazonq/latest/qdeveloper-ug/qdev-mcp.html
	{
		name: 'Amazon Q',
		names: 'braces',
		files: [
			'{folder}/.amazonq/mcp.json',
			'{home}/.aws/amazonq/mcp.json',
			'{home}/.aws/amazonq/agents/*',
			'{home}/.aws/amazonq/cli-agents/*',
		],
	},
	// https://docs.cline.bot/mcp/configuring-mcp-servers
	{
		name: 'Cline',
		names: 'none',
		files: [
			'{code}/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
			'{home}/.cline/data/settings/cline_mcp_settings.json',
		],
	},
	// https://docs.roocode.com/features/mcp/using-mcp-in-roo
	{
		name: 'Roo Code',
		names: 'none',
		files: [
			'{folder}/.roo/mcp.json',
			'{code}/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json',
		],
	},
	// https://kilo.ai/docs/features/mcp/using-in-kilo-code; onurceri/aidit: README.md
	{
		name: 'Kilo Code',
		names: 'none',
		files: [
			'{folder}/.kilo/kilo.jsonc',
			'{folder}/kilo.jsonc',
			'{config}/kilo/kilo.jsonc',
			'{folder}/.kilocode/mcp.json',
			'{code}/globalStorage/kilocode.kilo-code/settings/mcp_settings.json',
		],
	},
	// https://lmstudio.ai/docs/app/mcp
	{ name: 'LM Studio', names: 'none', files: ['{home}/.lmstudio/mcp.json'] },
	// https://zed.dev/docs/ai/mcp
	{
		name: 'Zed',
		names: 'none',
		files: ['{folder}/.zed/settings.json', '{config}/zed/settings.json', '{data}/Zed/settings.json'],
	},
	// https://block.github.io/goose/docs/guides/config-files
	{
		name: 'Goose',
		names: 'shell',
		files: ['{config}/goose/config.yaml', '{data}/Block/goose/config/config.yaml'],
	},
	// https://docs.continue.dev/customize/deep-dives/mcp
	{
		name: 'Continue',
		names: 'none',
		files: [
			'{folder}/.continue/mcpServers/*',
			'{home}/.continue/mcpServers/*',
			'{home}/.continue/config.yaml',
			'{home}/.continue/config.json',
		],
	},
	// https://junie.jetbrains.com/docs/junie-cli-mcp-configuration.html
	{
		name: 'JetBrains Junie',
		names: 'none',
		files: ['{folder}/.junie/mcp/mcp.json', '{home}/.junie/mcp/mcp.json'],
	},
	// microsoft/apm: src/apm_cli/adapters/client/intellij.py
	{
		name: 'JetBrains Copilot',
		names: 'none',
		files: ['{config}/github-copilot/intellij/mcp.json', '{local}/github-copilot/intellij/mcp.json'],
	},
	// https://learn.microsoft.com/en-us/visualstudio/ide/mcp-servers
	{ name: 'Visual Studio', names: 'none', files: ['{folder}/.vs/mcp.json', '{home}/.mcp.json'] },
	// https://docs.warp.dev/agent-platform/capabilities/mcp
	{
		name: 'Warp',
		names: 'braces',
		files: [
			'{folder}/.warp/.mcp.json',
			'{home}/.warp/.mcp.json',
			'{folder}/.agents/.mcp.json',
			'{home}/.agents/.mcp.json',
		],
	},
	// https://moonshotai.github.io/kimi-code/zh/customization/mcp
	{
		name: 'Kimi Code',
		names: 'none',
		files: ['{folder}/.kimi-code/mcp.json', '{home}/.kimi-code/mcp.json'],
	},
	// https://ampcode.com/manual
	{ name: 'Amp', names: 'braces', files: ['{folder}/.amp/settings.json', '{config}/amp/settings.json'] },
	// https://docs.factory.ai/cli/configuration/mcp
	{ name: 'Droid', names: 'braces', files: ['{folder}/.factory/mcp.json', '{home}/.factory/mcp.json'] },
	// https://docs.augmentcode.com/cli/integrations, https://docs.augmentcode.com/cli/settings
	{
		name: 'Auggie',
		names: 'braces',
		files: [
			'{folder}/.augment/settings.local.json',
			'{folder}/.augment/settings.json',
			'{home}/.augment/settings.json',
		],
	},
	// https://www.volcengine.com/docs/86677/2137601, pathintegral-institute/mcpm.sh#92
	{ name: 'Trae', names: 'none', files: ['{folder}/.trae/mcp.json', '{data}/Trae/User/mcp.json'] },
	// https://docs.mistral.ai/mistral-vibe/introduction/configuration
	{
		name: 'Mistral Vibe',
		names: 'none',
		files: ['{folder}/.vibe/config.toml', '{home}/.vibe/config.toml'],
	},
	// https://github.com/charmbracelet/crush
	{
		name: 'Crush',
		names: 'shell',
		files: ['{folder}/crush.json', '{folder}/.crush.json', '{config}/crush/crush.json'],
	},
	// https://hermes-agent.nousresearch.com/docs/user-guide/features/mcp
	{
		name: 'Hermes',
		names: 'braces',
		files: ['{home}/.hermes/config.yaml'],
		moved: ['HERMES_HOME', '{home}/.hermes'],
	},
	// https://docs.openclaw.ai/cli/mcp, https://docs.openclaw.ai/gateway/configuration-reference
	{
		name: 'OpenClaw',
		names: 'braces',
		files: ['{home}/.openclaw/openclaw.json'],
		moved: ['OPENCLAW_STATE_DIR', '{home}/.openclaw'],
	},
	// https://docs.qoder.com/cli/settings-reference
	{
		name: 'Qoder',
		names: 'none',
		files: [
			'{folder}/.qoder/settings.local.json',
			'{folder}/.qoder/settings.json',
			'{home}/.qoder/settings.json',
		],
	},
	// https://cloud.tencent.com/document/product/1831/137016
	{
		name: 'CodeBuddy',
		names: 'braces',
		files: ['{home}/.codebuddy/mcp.json'],
	},
] as const satisfies readonly Program[];

export type Product = (typeof programs)[number]['name'];

export const products: readonly Product[] = programs.map(({ name }) => name);

/** Absent: a text of an unknown program, which may use any syntax. */
export function nameSyntaxOf(product: Product | undefined): NameSyntax {
	return programs.find(({ name }) => name === product)?.names ?? 'shell';
}

/** Where servers come from. */
export interface ImportSource {
	/** Absent: nobody knows which program wrote it. */
	readonly product?: Product;
	/** The workspace folder that the file belongs to, and that it must not lead out of; absent: it is the user's own. */
	readonly folder?: string;
	/** Absolute, in the syntax of its machine. */
	readonly path: string;
}

export interface ImportPlaces {
	readonly platform: NodeJS.Platform;
	/** Absolute paths, in the order of the workspace. */
	readonly workspaceFolders: readonly string[];
	readonly home: string;
	/** For folders that variables move elsewhere. */
	readonly env: Readonly<Record<string, string | undefined>>;
	/** The names of the files in a folder; empty: it does not exist. */
	readonly filesIn?: (folder: string) => readonly string[];
	/** The folder of VS Code's user settings, if known: `mcp.json` is beside `settings.json`. */
	readonly vscodeUserFolder?: string;
}

/** Most files of one folder that are read. */
const maxFiles = 100;

/** All files worth checking, each once, the workspace's first. The home folder may be open as the workspace. */
export function importSources(places: ImportPlaces): readonly ImportSource[] {
	const { join, dirname } = places.platform === 'win32' ? win32 : posix;
	const roots = rootsOf(places, join);
	const sources = programs.flatMap((program: Program & { readonly name: Product }) =>
		program.files.flatMap((file): ImportSource[] => {
			const { name: product, moved: [variable = '', from = ''] = [] } = program;
			const isMoved = Boolean(places.env[variable]) && file.startsWith(`${from}/`);
			const [root = '', ...rest] = (isMoved ? `{moved}${file.slice(from.length)}` : file).split('/');
			if (root === '{folder}')
				return places.workspaceFolders.map((folder) => ({ product, folder, path: join(folder, ...rest) }));
			const folder = isMoved ? places.env[variable] : roots.get(root);
			return folder === undefined ? [] : [{ product, path: join(folder, ...rest) }];
		}),
	);
	const each = sources.flatMap((source) => {
		if (!source.path.endsWith('*')) return [source];
		const folder = dirname(source.path);
		const names = places.filesIn?.(folder) ?? [];
		return names.slice(0, maxFiles).map((name) => ({ ...source, path: join(folder, name) }));
	});
	const inOrder = [
		...each.filter(({ folder }) => folder !== undefined),
		...each.filter(({ folder }) => folder === undefined),
	];
	return [...Map.groupBy(inOrder, ({ path }) => path).values()].flatMap(([first]) => first ?? []);
}

/** The folders that paths of the table begin with, besides the workspace's. */
function rootsOf(
	{ platform, home, env, vscodeUserFolder }: ImportPlaces,
	join: typeof posix.join,
): ReadonlyMap<string, string> {
	const config = env.XDG_CONFIG_HOME || join(home, '.config');
	// Electron's `app.getPath('appData')`.
	const data =
		platform === 'win32'
			? env.APPDATA || join(home, 'AppData', 'Roaming')
			: platform === 'darwin'
				? join(home, 'Library', 'Application Support')
				: config;
	const local =
		platform === 'win32'
			? env.LOCALAPPDATA || join(home, 'AppData', 'Local')
			: platform === 'darwin'
				? data
				: env.XDG_DATA_HOME || join(home, '.local', 'share');
	const roots = new Map([
		['{home}', home],
		['{config}', config],
		['{data}', data],
		['{local}', local],
	]);
	return vscodeUserFolder === undefined ? roots : roots.set('{code}', vscodeUserFolder);
}

/** Names of files that many programs use, each in a folder of its own. */
const sharedName = /^\.?(mcp|settings|config)\.\w+$/;

/** The program whose file has the same place in its folder; `undefined`: the path does not say. */
export function productOf(path: string): Product | undefined {
	const parts = path.split(/[\\/]/);
	const alike = programs.flatMap(({ name, files }) =>
		files.flatMap((file) => {
			const [, ...rest] = file.split('/');
			const last = rest.at(-1) ?? '';
			const end = rest.slice(last === '*' ? -3 : sharedName.test(last) ? -2 : -1);
			const isSame = end.every((part, index) => part === '*' || part === parts.at(index - end.length));
			const isOwn = end.length > 1 || !sharedName.test(end[0] ?? '') || file === '{folder}/.mcp.json';
			return isSame && isOwn ? [{ name, length: end.length }] : [];
		}),
	);
	return alike.toSorted((a, b) => b.length - a.length)[0]?.name;
}
