import { applyEdits } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { readPasted } from '../../../../src/config/add/pasted.ts';
import { planAddition, proposalOf, withPlacesAsInputs } from '../../../../src/config/add/proposal.ts';
import { readForeignServers } from '../../../../src/config/add/readers/json.ts';
import { launchText } from '../../../../src/config/add/serverDraft.ts';
import { githubToken } from '../import/fixtures.ts';
import { addition, askedBy, givenSecret, proposed, scope } from './fixtures.ts';

describe('given a server with missing values', () => {
	test('then the user is not asked for a variable that is set in the environment', () => {
		const { questions } = proposed('SET=$SET OTHER=$OTHER npx -y acme-mcp');
		expect([...questions]).toEqual([['env:OTHER', { password: false }]]);
	});

	test('then a variable keeps its name when the user gives its value', () => {
		const plan = addition(proposed('GITHUB_TOKEN=$GITHUB_TOKEN npx -y acme-mcp'));
		expect(plan.servers[0]?.server.entry.env).toEqual({ GITHUB_TOKEN: `\${env:GITHUB_TOKEN}` });
		expect(plan.secrets).toEqual([{ name: 'GITHUB_TOKEN', value: givenSecret }]);
	});

	test('then the user is asked once for a placeholder that occurs in several texts', () => {
		const text =
			'{"servers":{"a":{"command":"a","args":["--site","https://<your-site>/x"],"env":{"B":"<your-site>","C":"<other>"}}}}';
		expect(askedBy(proposed(text))).toEqual(['SITE', 'B', 'C']);
		const twice = '{"servers":{"a":{"command":"a","args":["--token","YOUR_TOKEN","--x=<x-y>","<x-y>"]}}}';
		expect(askedBy(proposed(twice))).toEqual(['A_TOKEN*', 'X_Y']);
	});

	test('then an answer that looks like a key is stored as a secret, even if not marked as one', () => {
		const plan = addition(proposed('npx -y acme-mcp --connect <where>'), { WHERE: githubToken });
		expect(JSON.stringify(plan.edits)).not.toContain(githubToken);
		expect(plan.secrets).toEqual([{ name: 'ACME_KEY', value: githubToken }]);
	});

	test('then a new secret does not take the name of another value', () => {
		const proposal = proposed('claude mcp add acme -e API_KEY=<your-key> -- npx -y acme-mcp');
		const answers = new Map([['input:API_KEY', givenSecret]]);
		const taken = { ...scope, secrets: { API_KEY: 'of another server' } };
		const plan = planAddition(proposal, answers, undefined, { scope: taken, platform: 'linux' });
		expect(plan?.servers[0]?.server.entry.env).toEqual({ API_KEY: `\${env:ACME_API_KEY}` });
		expect(plan?.secrets).toEqual([{ name: 'ACME_API_KEY', value: givenSecret }]);
	});

	test('then an answer may contain a variable of the configuration', () => {
		const plan = addition(proposed('npx -y files /path/to/dir'), { FOLDER: `\${workspaceFolder}/docs` });
		expect(plan.servers.map(({ server }) => launchText(server.entry))).toEqual([
			`npx -y files \${workspaceFolder}/docs`,
		]);
	});
});

describe('given several servers', () => {
	const context = { scope, platform: 'linux' } as const;
	const fileOf = (path: string, description: string, names: readonly string[]) =>
		readForeignServers(
			{ product: 'VS Code', path },
			JSON.stringify({
				inputs: [{ id: 'region', type: 'promptString', description }],
				servers: Object.fromEntries(
					names.map((name) => [
						name,
						{ command: 'node', args: [name, `\${input:region}`, '/home/user/x', ''] },
					]),
				),
			}),
		).servers;

	test('then a question that nobody has described says which of them needs the value', () => {
		const text =
			'{"servers":{"a":{"command":"a","env":{"A_KEY":""}},"b":{"command":"b","env":{"B_KEY":"$B_KEY"}}}}';
		const { questions } = proposalOf(readPasted(text).servers.map(withPlacesAsInputs), context);
		expect([...questions].map(([key, { description }]) => [key, description])).toEqual([
			['input:A_KEY', 'needed by a'],
			['env:B_KEY', 'needed by b'],
		]);
	});

	test('then servers of one file share its inputs, and those of another file are asked for apart', () => {
		const drafts = [...fileOf('/a/mcp.json', 'of a', ['a', 'b']), ...fileOf('/c/mcp.json', 'of c', ['c'])];
		const proposal = proposalOf(drafts, context);
		expect([...proposal.questions].map(([key, { description }]) => [key, description])).toEqual([
			['input:region', 'of a'],
			['input:region_2', 'of c'],
		]);
		const answers = new Map([
			['input:region', 'eu'],
			['input:region_2', 'us'],
		]);
		const plan = planAddition(proposal, answers, undefined, context);
		expect(plan?.servers.map(({ server }) => server.entry.args)).toEqual([
			['a', 'eu', '/home/user/x', ''],
			['b', 'eu', '/home/user/x', ''],
			['c', 'us', '/home/user/x', ''],
		]);
	});

	test('then a variable in the syntax of their program is asked for once, and never one that steers processes', () => {
		const servers = Object.fromEntries(
			['a', 'b'].map((name) => [
				name,
				{ command: 'node', args: [name], env: { K: `\${ACME_KEY}`, N: `\${NODE_OPTIONS}` } },
			]),
		);
		const { servers: drafts } = readForeignServers(
			{ product: 'Claude Code', path: '/a/.mcp.json' },
			JSON.stringify({ mcpServers: servers }),
		);
		expect([...proposalOf(drafts, context).questions.keys()]).toEqual(['env:ACME_KEY']);
	});
});

test('a server is added to a configuration like an imported one, and a malformed configuration is not changed', () => {
	const plan = (configuration: string) =>
		planAddition(proposed('uvx mcp-server-git'), new Map(), configuration, { scope, platform: 'linux' });
	const file = '{ "servers": { "git": { "command": "x" } } } // mine';
	const added = plan(file);
	expect(added?.servers).toMatchObject([{ state: 'renamed', name: 'git-2' }]);
	expect(applyEdits(file, [...(added?.edits ?? [])])).toMatch(/"x" \}, "git-2": \{.*\/\/ mine$/);
	expect(plan('{ "servers": ')).toBeUndefined();
});
