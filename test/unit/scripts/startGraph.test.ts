import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { staticClosure } from '../../../scripts/commonJs.ts';
import { PROJECT_ROOT } from '../../../scripts/projectPaths.ts';

/**
 * What each start of the editor reads of us, in bytes of minified code and in modules. Whoever needs more of either first asks what could be
 * imported on demand instead.
 */
const MOST_BYTES = 278_000;
const MOST_MODULES = 180;

/** Small, and needed for the first rows of the views: translated words, counts of tokens, the nearest name. */
const PACKAGES = ['@vscode/l10n', 'fastest-levenshtein', 'tokenx'];

/** Servers, providers, search with its synonyms, and what only commands, chats and editors of the configuration need. */
const ON_DEMAND = new RegExp(
	[
		'mcp/connection/sdk',
		'models/((openai|anthropic|ollama|http|schemas)/|createModel|listing|knownLimits|planner/(?!description))',
		'discovery/(habits/learnedUse|search/(toolIndex|useEvidence|byFields|documentedRankings|typedSearch|words/(synonyms|thesaurus|analyzer))|evaluation/|session/prefetch|tools/(otherChats|resultText|inspection\\.))',
		'chat/(toolLoop|agents/|teaching/)',
		'config/(load|merge|schema|salvage|missingReferences|(file|models|settings|assist|fixes|import)/|servers/(readLaunch|servers)|secrets/(variables|dotenv))',
		'sandbox/worker',
		'vscode/(onDemand|habits/useStore|teaching/teachSearch|commands/commands|import/importServers|context/contextPage\\.|run/(handRun\\.|argumentQuestions|parameters)|search/)',
		'vscode/(participant/(requestHandler|chatRenderer|thinking|agentFiles|mcpCallTool|askToCall)|placement/(placement|toolActions|toolsets))',
		'vscode/(ui/textFiles|config/(configFile|configState|configCommands|languageFeatures|quickFixes)|secrets/(keyDialogs|setApiKey|manageSecrets)|trust/(reviewPage|trustCommands|managePermissions))',
	]
		.map((part) => `^src/${part}`)
		.join('|'),
);

describe('given the extension, when the editor loads it', () => {
	let modules: readonly string[];
	let bytes: number;

	beforeAll(async () => {
		const entry = 'dist/extension.js';
		const { metafile } = await build({
			absWorkingDir: PROJECT_ROOT,
			entryPoints: ['src/extension.ts'],
			outdir: 'dist',
			bundle: true,
			splitting: true,
			minify: true,
			platform: 'node',
			target: 'node22',
			format: 'esm',
			mainFields: ['module', 'main'],
			external: ['vscode'],
			metafile: true,
			write: false,
		});
		const files = staticClosure(metafile.outputs, entry).map((file) => metafile.outputs[file]);
		bytes = files.reduce((sum, file) => sum + (file?.bytes ?? 0), 0);
		modules = files
			.flatMap((file) => Object.entries(file?.inputs ?? {}))
			.filter(([, { bytesInOutput }]) => bytesInOutput > 0)
			.map(([input]) => input);
	});

	it('then it reads no more than has been agreed', () => {
		expect(bytes).toBeLessThan(MOST_BYTES);
		expect(modules.length).toBeLessThan(MOST_MODULES);
	});

	it('then of packages it reads three small ones', () => {
		const packages = modules.map((input) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1]);
		expect([...new Set(packages)].filter((name) => name !== undefined).sort()).toEqual(PACKAGES);
	});

	it('then nothing of servers, SDKs, search and synonyms is among it', () => {
		expect(modules.filter((input) => ON_DEMAND.test(input))).toEqual([]);
	});
});
