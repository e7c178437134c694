import { describe, expect, test } from 'vitest';
import type { RemoteLaunch, ServerLaunch, StdioLaunch } from '../../../../src/config/servers/launch.ts';
import { approvalHash, keptFacts } from '../../../../src/mcp/accepted/launchFacts.ts';
import type { ApprovalState } from '../../../../src/vscode/core/approvals.ts';
import { reviewedFiles, reviewedServer } from '../../../../src/vscode/trust/reviewView.ts';

const node: StdioLaunch = { kind: 'stdio', command: 'node', args: ['a.js'], env: {}, cwd: '/work' };
const remote: RemoteLaunch = {
	kind: 'remote',
	url: 'https://example.com/mcp',
	transport: 'streamable-http',
	headers: {},
};
const isNew: ApprovalState = { kind: 'new' };
const inFolder = { label: 'work', path: 'casual_mcp_config.json', isUsers: false };

function pendingServer(name: string, launch: ServerLaunch = node, approval = isNew) {
	return { name, launch, approval };
}

/** A server in the review of a folder. */
function reviewed(launch: ServerLaunch, before?: ServerLaunch) {
	const approval: ApprovalState = before ? { kind: 'changed', before: keptFacts(before) } : isNew;
	return reviewedServer(pendingServer('files', launch, approval), '/work', inFolder);
}

const texts = (lines: readonly { readonly text: string }[]) => lines.map(({ text }) => text);

describe('given a server that needs approval', () => {
	test('then the review shows its whole command, or its URL', () => {
		const long = 'x'.repeat(100_000);
		expect(texts(reviewed({ ...node, args: [long, 'end'] }).runs)).toEqual([`node ${long} end`]);
		expect(texts(reviewed(remote).runs)).toEqual(['https://example.com/mcp (streamable-http)']);
	});

	test('when its name could be mistaken for another line of the review, then the name is quoted', () => {
		expect(reviewedServer(pendingServer('files    runs: ls'), '/work', inFolder).shownName).toBe(
			'"files    runs: ls"',
		);
		expect(reviewedServer(pendingServer('files (app)'), '/work', inFolder).shownName).toBe('files (app)');
	});

	test.each<[string, StdioLaunch | RemoteLaunch, string[]]>([
		['runs in the folder', node, []],
		['has settings of its own', { ...node, env: { MODE: 'fast' } }, ['Environment: MODE=fast']],
		['has headers of its own', { ...remote, headers: { 'X-Mode': 'a' } }, ['Sends: X-Mode=a']],
	])('when it %s, then the review shows nothing more', (_, launch, details) => {
		expect(texts(reviewed(launch).details)).toEqual(details);
	});

	const written = { command: 'node', args: ['a.js'], cwd: '/work' };
	test.each<[string, StdioLaunch | RemoteLaunch, string]>([
		['runs elsewhere', { ...node, cwd: '/' }, 'Folder: /'],
		['inherits variables', { ...node, inherits: ['AWS_PROFILE'] }, 'AWS_PROFILE'],
		['inherits all of them', { ...node, inherits: true }, 'your whole environment'],
		['sets what code it loads', { ...node, env: { NODE_OPTIONS: '-r ./x.js' } }, 'NODE_OPTIONS="-r ./x.js"'],
		[
			'gets a key of the user',
			{
				...node,
				env: { KEY: 'k' },
				written: { ...written, env: { KEY: `\${env:KEY}` } },
				reads: { KEY: { value: 'k', isStored: false } },
			},
			`KEY="\${env:KEY}"`,
		],
		[
			'gets a stored secret',
			{
				...node,
				env: { TOKEN: 'k' },
				written: { ...written, env: { TOKEN: `\${env:GITHUB_TOKEN}` } },
				reads: {
					GITHUB_TOKEN: { value: 'k', isStored: true },
					MODE: { value: 'fast', isStored: false },
				},
			},
			'From your stored secrets: GITHUB_TOKEN',
		],
		['is approved for all workspaces', { ...node, ofUser: true }, 'all workspaces'],
		['is the user’s, but uses the folder', { ...node, usesFolder: true }, 'this workspace only'],
	])('when it %s, then the review shows that', (_, launch, detail) => {
		expect(texts(reviewed(launch).details).join()).toContain(detail);
	});

	test('when it has changed since its approval, then the review shows the old and new lines', () => {
		const server = reviewed({ ...node, args: ['b.js'] }, { ...node, env: { MODE: 'fast' } });
		expect([...server.runs, ...server.details].map(({ change, text }) => `${change} ${text}`)).toEqual([
			'gone node a.js',
			'added node b.js',
			'gone Environment: MODE=fast',
		]);
		expect(server.mark).toBe('changed');
	});

	test('then the approval applies only to the launch configuration that was shown', () => {
		const [before, after] = [reviewed(node), reviewed({ ...node, args: ['b.js'] })];
		expect(before.hash).toBe(approvalHash(node));
		expect(after.hash).not.toBe(before.hash);
	});
});

describe('given servers from several files', () => {
	const filesOf = (files: Readonly<Record<string, typeof inFolder>>, seen: readonly string[] = []) =>
		reviewedFiles({
			pending: Object.entries(files).map(([name, file]) => ({ ...pendingServer(name), file })),
			folder: '/work',
			isSeen: ({ name }) => seen.includes(name),
		});

	test('then they are grouped by file, in the order of the configuration', () => {
		const other = { ...inFolder, label: 'web' };
		const files = filesOf({ a: inFolder, b: other, c: inFolder });
		expect(files.map(({ label, servers }) => [label, servers.map(({ name }) => name)])).toEqual([
			['work', ['a', 'c']],
			['web', ['b']],
		]);
	});

	test('when a folder has the same label as the user’s file, then their paths distinguish them', () => {
		const users = { label: 'User Configuration', path: '/home/me/x.json', isUsers: true };
		expect(filesOf({ a: users, b: { ...inFolder, label: 'User Configuration' } })).toHaveLength(2);
	});

	test('then servers that no review has shown before are marked as new', () => {
		const [file] = filesOf({ old: inFolder, fresh: inFolder }, ['old']);
		expect(file?.servers.map(({ mark }) => mark)).toEqual(['seen', 'new']);
	});
});
