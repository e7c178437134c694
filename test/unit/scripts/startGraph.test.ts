import { rolldown } from 'rolldown';
import { beforeAll, describe, expect, it } from 'vitest';
import { closure, extensionOptions, writtenFiles } from '../../../scripts/extensionBundle.ts';

/**
 * What each start of the editor reads of us, in bytes of minified code and in modules. Whoever needs more of either first asks what could be
 * imported on demand instead. Each of the 270 names that chunks on demand take from the start is 76 of these bytes.
 */
const MOST_BYTES = 288_000;
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
		const options = extensionOptions(true);
		const bundle = await rolldown(options);
		const { output } = await bundle.generate(options.output);
		await bundle.close();
		const written = writtenFiles(output);
		const start = [...closure('extension.cjs', (file) => written[file]?.imports ?? [])];
		const files = start.flatMap((file) => written[file] ?? []);
		bytes = files.reduce((sum, file) => sum + file.bytes, 0);
		modules = files
			.flatMap(({ inputs }) => Object.entries(inputs))
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
