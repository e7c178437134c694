import { applyEdits } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { planAddition, proposalOf } from '../../../../src/config/add/proposal.ts';
import { launchText } from '../../../../src/config/add/serverDraft.ts';
import { addition, askedBy, githubToken, givenSecret, only, pasted, proposed, scope } from './fixtures.ts';

describe('given a server with missing values', () => {
	test('then the user is not asked for a variable that is set in the environment', () => {
		const { asked } = proposed('SET=$SET OTHER=$OTHER npx -y acme-mcp');
		expect([...asked]).toEqual([['env:OTHER', { password: false }]]);
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

describe('given a configuration with comments', () => {
	const file =
		'{\n\t// mine\n\t"servers": {\n\t\t"time": { "command": "uvx", "args": ["mcp-server-time"] },\n\t},\n}\n';
	const plan = (text: string, name: string, configuration = file) => {
		const proposal = proposalOf({ ...only(pasted(text)), name }, scope);
		return planAddition(proposal, new Map(), configuration, { scope, platform: 'linux' });
	};

	test('then adding a server adds one entry', () => {
		const made = plan('uvx mcp-server-git', 'git');
		const after = applyEdits(file, [...(made?.edits ?? [])]);
		expect(after).toContain(
			'// mine\n\t"servers": {\n\t\t"time": { "command": "uvx", "args": ["mcp-server-time"] },\n\t\t"git": {',
		);
	});

	test('then a taken name gets a suffix, and an identical server is not added again', () => {
		expect(plan('npx -y other', 'time')?.servers).toMatchObject([{ state: 'renamed', name: 'time-2' }]);
		expect(plan('uvx mcp-server-time', 'clock')?.servers).toMatchObject([{ state: 'present', name: 'time' }]);
	});

	test('then a malformed configuration is not changed', () => {
		expect(plan('uvx mcp-server-git', 'git', '{ "servers": ')).toBeUndefined();
	});
});
