import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../../../src/config/load.ts';
import { environmentWithDotenv } from '../../../../src/config/secrets/dotenv.ts';
import type { ServerLaunch } from '../../../../src/config/servers/launch.ts';
import { approvalHash, keptFacts, launchFacts } from '../../../../src/mcp/accepted/launchFacts.ts';
import { reviewedServer } from '../../../../src/vscode/trust/reviewView.ts';

/** Where the values of variables come from. */
interface Sources {
	/** The text of the workspace's `.env`. */
	readonly dotenv?: string;
	readonly process?: Readonly<Record<string, string>>;
	readonly secrets?: Readonly<Record<string, string>>;
}

function launchOf(entry: object, { dotenv, process = {}, secrets = {} }: Sources): ServerLaunch {
	const { env } = environmentWithDotenv(dotenv, process);
	const { config, problems } = loadConfig(JSON.stringify({ servers: { one: entry } }), {
		file: '',
		workspaceFolder: '/work',
		env,
		secrets,
		ofWorkspace: Object.keys(env).filter((name) => process[name] === undefined),
	});
	const launch = config?.launches.get('one');
	if (!launch) throw new Error(`the server is off: ${JSON.stringify(problems)}`);
	return launch;
}

/** The lines of the review that say what has changed since the approval. */
function changedLines(before: ServerLaunch, after: ServerLaunch): string {
	const approval = { kind: 'changed', before: keptFacts(before) } as const;
	const server = { name: 'one', launch: after, approval, facts: launchFacts(after) };
	const { runs, details } = reviewedServer(server, '/work', { isUsers: false });
	const changed = [...runs, ...details].filter(({ change }) => change !== 'same');
	return changed.map(({ change, text }) => `${change} ${text}`).join('\n');
}

const read = (name: string) => `\${env:${name}}`;
const server = (env: Readonly<Record<string, string>>) => ({ command: 'npx', args: ['-y', 'server'], env });
const reads = (...names: string[]) => server(Object.fromEntries(names.map((name) => [name, read(name)])));
const remote = { url: 'https://example.com/mcp' };
const githubKey = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
const [token, otherToken] = ['Zq8fK2mWv5tLp9RxB3nY', 'Hd7cJ4sGb6uNe1TaM0wX'];

describe('given an approved server whose workspace has a .env', () => {
	test.each<[what: string, entry: object, before: string, after: string]>([
		[
			'an address',
			reads('JIRA_URL', 'JIRA_TOKEN'),
			'JIRA_URL=https://good.example',
			'JIRA_URL=https://evil.example',
		],
		['a host', reads('GITHUB_HOST'), 'GITHUB_HOST=good.example', 'GITHUB_HOST=evil.example'],
		['a host without a dot', reads('GITHUB_HOST'), 'GITHUB_HOST=good', 'GITHUB_HOST=evil'],
		['a host as a number', reads('DB_HOST'), 'DB_HOST=167772161', 'DB_HOST=3232235777'],
		[
			'a base address',
			reads('OPENAI_BASE_URL'),
			'OPENAI_BASE_URL=http://good/v1',
			'OPENAI_BASE_URL=http://evil/v1',
		],
		[
			'an address under another name',
			server({ URL: read('X') }),
			'X=https://good.example',
			'X=https://evil.example',
		],
		['a part of an address', server({ URL: `https://${read('X')}.example/api` }), 'X=good', 'X=evil'],
		['a port', reads('PORT'), 'PORT=8080', 'PORT=8081'],
		['a proxy of the program’s own', reads('UPSTREAM'), 'UPSTREAM=good:3128', 'UPSTREAM=evil:3128'],
		['a tenant', reads('TENANT'), 'TENANT=good', 'TENANT=evil'],
		['a recipient', reads('MAIL_TO'), 'MAIL_TO=ada@good.example', 'MAIL_TO=eve@evil.example'],
		['a switch', reads('VERIFY_TLS'), 'VERIFY_TLS=true', 'VERIFY_TLS=false'],
		['a folder', reads('DATA_DIR'), 'DATA_DIR=./data', 'DATA_DIR=/home/ada/.ssh'],
		['a file of settings', reads('APP_CONFIG'), 'APP_CONFIG=good.json', 'APP_CONFIG=evil.json'],
		['a variable that is emptied', reads('JIRA_URL'), 'JIRA_URL=https://good.example', 'JIRA_URL='],
		[
			'a variable that is written twice',
			reads('X'),
			'X=https://good.example',
			'X=https://good.example\nX=https://evil.example',
		],
		['a host named like a key', reads('HOST_TOKEN'), 'HOST_TOKEN=good.example', 'HOST_TOKEN=evil.example'],
		[
			'an address named like a key',
			reads('API_KEY_URL'),
			'API_KEY_URL=https://good.example',
			'API_KEY_URL=https://evil.example',
		],
		[
			'a host with a port, named like a key',
			reads('AUTH_SECRET'),
			'AUTH_SECRET=good:443',
			'AUTH_SECRET=evil:443',
		],
		[
			'an address with a password',
			reads('DB_URL'),
			`DB_URL=postgres://u:${token}@good/db`,
			`DB_URL=postgres://u:${token}@evil/db`,
		],
		['the program', { command: read('PROGRAM') }, 'PROGRAM=good', 'PROGRAM=evil'],
		[
			'an argument',
			{ command: 'server', args: ['--url', read('X')] },
			'X=https://good.example',
			'X=https://evil.example',
		],
		[
			'an argument named like a key',
			{ command: 'server', args: [read('API_TOKEN')] },
			'API_TOKEN=good',
			'API_TOKEN=evil',
		],
		['the folder that it starts in', { command: 'server', cwd: read('DIR') }, 'DIR=good', 'DIR=evil'],
		['options of a program', { command: 'server', env: { SERVER_OPTS: read('X') } }, 'X=--good', 'X=--evil'],
		[
			'the host of a remote server',
			{ url: `https://${read('HOST')}/mcp` },
			'HOST=good.example',
			'HOST=evil.example',
		],
		[
			'the whole address',
			{ url: read('MCP_URL') },
			'MCP_URL=https://good.example/mcp',
			'MCP_URL=https://evil.example/mcp',
		],
		['the path of an address', { url: `https://example.com/${read('P')}` }, 'P=good', 'P=evil'],
		['a header', { ...remote, headers: { 'X-Tenant': read('TENANT') } }, 'TENANT=good', 'TENANT=evil'],
		[
			'where a header leads',
			{ ...remote, headers: { 'X-Upstream': read('X') } },
			'X=https://good.example',
			'X=https://evil.example',
		],
		[
			'a client to sign in with',
			{ ...remote, oauth: { client_id: read('CLIENT') } },
			'CLIENT=good',
			'CLIENT=evil',
		],
	])(
		'when %s changes there, then the server needs approval again, and the review shows both',
		(_, entry, before, after) => {
			const rest = `\nJIRA_TOKEN=${token}\n`;
			const [was, is] = [
				launchOf(entry, { dotenv: before + rest }),
				launchOf(entry, { dotenv: after + rest }),
			];
			expect(approvalHash(is)).not.toBe(approvalHash(was));
			const lines = changedLines(was, is).split('\n');
			const of = (change: string) => lines.filter((line) => line.startsWith(change)).join();
			expect(of('gone')).not.toBe(of('added').replaceAll('added', 'gone'));
			const [value] = after.split('=').slice(-1);
			if (!/password|named like a key/.test(_)) expect(of('added')).toContain(value);
			expect(JSON.stringify(keptFacts(is))).not.toContain(token);
		},
	);

	test.each<[what: string, entry: object, before: Sources, after: Sources]>([
		['a key', reads('API_TOKEN'), { dotenv: `API_TOKEN=${token}` }, { dotenv: `API_TOKEN=${otherToken}` }],
		[
			'a key of an issuer',
			server({ KEY: read('X') }),
			{ dotenv: `X=${githubKey}` },
			{ dotenv: `X=${githubKey}9` },
		],
		[
			'a key in a header',
			{ ...remote, headers: { Authorization: `Bearer ${read('API_TOKEN')}` } },
			{ dotenv: `API_TOKEN=${token}` },
			{ dotenv: `API_TOKEN=${otherToken}` },
		],
		[
			'a client’s secret',
			{ ...remote, oauth: { client_id: 'a', client_secret: read('CLIENT_SECRET') } },
			{ dotenv: `CLIENT_SECRET=${token}` },
			{ dotenv: `CLIENT_SECRET=${otherToken}` },
		],
		[
			'the password of an address',
			reads('DB_URL'),
			{ dotenv: `DB_URL=db://u:${token}@h/` },
			{ dotenv: `DB_URL=db://u:${otherToken}@h/` },
		],
		[
			'a key of the user, which the file now overrides',
			reads('API_TOKEN'),
			{ secrets: { API_TOKEN: token } },
			{ secrets: { API_TOKEN: token }, dotenv: `API_TOKEN=${otherToken}` },
		],
		[
			'a key of the environment, which is gone',
			reads('API_TOKEN'),
			{ process: { API_TOKEN: token }, dotenv: `API_TOKEN=${otherToken}` },
			{ dotenv: `API_TOKEN=${otherToken}` },
		],
	])(
		'when %s changes there, then it is another account: the server needs approval again',
		(_, entry, before, after) => {
			const [was, is] = [launchOf(entry, before), launchOf(entry, after)];
			expect(approvalHash(is)).not.toBe(approvalHash(was));
			expect(changedLines(was, is)).not.toBe('');
			for (const facts of [keptFacts(was), keptFacts(is), launchFacts(is)])
				expect(JSON.stringify(facts)).not.toMatch(new RegExp(`${token}|${otherToken}|${githubKey}`));
		},
	);

	test.each<[what: string, entry: object, before: Sources, after: Sources]>([
		['a variable that it does not read', reads('A'), { dotenv: 'A=1\nB=1' }, { dotenv: 'A=1\nB=2' }],
		[
			'the way in which it is written',
			reads('A', 'B'),
			{ dotenv: 'A=1\nB=2' },
			{ dotenv: '# why\nexport B="2"\nA=1' },
		],
		[
			'a variable that the environment sets',
			reads('A'),
			{ process: { A: '1' }, dotenv: 'A=1' },
			{ process: { A: '1' }, dotenv: 'A=2' },
		],
		[
			'a variable that no file may set',
			reads('MODE'),
			{ dotenv: 'MODE=a' },
			{ dotenv: 'MODE=a\nNODE_OPTIONS=-r x' },
		],
		[
			'a key in the user’s environment',
			reads('API_TOKEN'),
			{ process: { API_TOKEN: token } },
			{ process: { API_TOKEN: otherToken } },
		],
		[
			'a key in secret storage',
			reads('API_TOKEN'),
			{ secrets: { API_TOKEN: token } },
			{ secrets: { API_TOKEN: otherToken } },
		],
		[
			'a key in secret storage, in an argument',
			{ command: 'server', args: [read('API_TOKEN')] },
			{ secrets: { API_TOKEN: token } },
			{ secrets: { API_TOKEN: otherToken } },
		],
	])('when only %s changes, then nothing is asked', (_, entry, before, after) => {
		expect(approvalHash(launchOf(entry, after))).toBe(approvalHash(launchOf(entry, before)));
	});
});

test.each<[what: string, before: object, after: object]>([
	['a key in a variable', server({ API_TOKEN: token }), server({ API_TOKEN: otherToken })],
	[
		'a key in a header',
		{ ...remote, headers: { 'X-Key': token } },
		{ ...remote, headers: { 'X-Key': otherToken } },
	],
	[
		'a client’s secret',
		{ ...remote, oauth: { client_id: 'a', client_secret: token } },
		{ ...remote, oauth: { client_id: 'a', client_secret: otherToken } },
	],
])(
	'when %s changes in the file, then the server needs approval again, and the review says that it has',
	(_, before, after) => {
		const [was, is] = [launchOf(before, {}), launchOf(after, {})];
		expect(approvalHash(is)).not.toBe(approvalHash(was));
		expect(changedLines(was, is)).toBe('added A value that is shown as *** has changed');
		expect(JSON.stringify(keptFacts(is))).not.toContain(otherToken);
	},
);
