import { describe, expect, test } from 'vitest';
import type { CallConcern } from '../../../../src/chat/callConcern.ts';
import { Catalog } from '../../../../src/discovery/catalog/catalog.ts';
import { Approvals } from '../../../../src/vscode/core/approvals.ts';
import { Permissions } from '../../../../src/vscode/core/permissions.ts';
import { CallPermissions } from '../../../../src/vscode/participant/askToCall.ts';
import { CallConfirmation } from '../../../../src/vscode/ui/toolCalls.ts';
import { trustFile } from '../core/trustFiles.ts';
import { answers, type InvokedTool, lm, messages, reopen, workspace } from '../editor.ts';
import { launchOf } from '../reviewedServers.ts';

const concern: CallConcern = { kind: 'text', server: 'mail', excerpt: 'the code is 4711' };

/** A window with the approved server `files`, and a user who presses these buttons of questions, one after the other. */
async function openWindow({ annotations = {} as { readonly readOnlyHint?: true } } = {}) {
	reopen();
	const approvals = new Approvals(await trustFile());
	await approvals.approve(new Map([['files', launchOf('node')]]), false);
	const permissions = new Permissions(await trustFile(), approvals);
	const confirmation = new CallConfirmation({
		trustsHints: (server) => approvals.trustsHints(server),
		ruleFor: (tool, chat) => permissions.ruleFor(tool, chat),
		knowsRules: () => permissions.isKnown,
	});
	const seen: object[] = [];
	const calls = new CallPermissions({
		confirmation,
		permissions,
		approvals,
		runs: { show: async ({ args }) => void seen.push(args) },
		log: { info: () => {} } as never,
	});
	const listed = {
		server: 'files',
		name: 'write',
		description: 'Writes',
		inputSchema: { type: 'object' },
		annotations,
	};
	const [tool] = new Catalog([{ name: 'files', tools: [listed] }], 1).tools;
	if (!tool) throw new Error('it is listed');
	const asked: string[][] = [];
	const stop = new AbortController();
	const call = ({ chat = 'one', args = {}, concerns = [] as readonly CallConcern[] } = {}) =>
		calls.decide({ tool, args, chat, concerns, readFrom: [] }, undefined, stop.signal);
	return {
		approvals,
		permissions,
		tool,
		asked,
		seen,
		stop,
		call,
		/** A call of a program outside the editor. */
		callOfAgent: () =>
			calls.decide({ tool, args: {}, agent: 'codex', concerns: [], readFrom: [] }, undefined, stop.signal),
		/** The answers of the user, the last one for all further questions. */
		presses: (...labels: readonly string[]) => {
			lm.answer = async ({ input }) => {
				asked.push((input as { readonly buttons: string[] }).buttons);
				return labels[Math.min(asked.length, labels.length) - 1] ?? '';
			};
		},
		/** Leaves the question open until the caller no longer waits. */
		waits: () => {
			const open = Promise.withResolvers<void>();
			lm.answer = ({ token }: InvokedTool) => {
				open.resolve();
				return new Promise((_, reject) => token.onCancellationRequested(() => reject(new Error('Canceled'))));
			};
			return open.promise;
		},
	};
}

const always = 'Always Allow in This Workspace';
const never = 'Never Allow in This Workspace';

describe('given a call that no rule decides', () => {
	test.each([
		['Allow Once', 'allowed', 2],
		[always, 'allowed', 1],
		['Allow in This Chat', 'allowed', 1],
		['Skip', 'declined', 2],
		['something else', 'declined', 2],
		['', 'declined', 2],
		['yes', 'allowed', 2],
		[never, 'never', 1],
	])(
		'when the user answers “%s”, then it is %s, and two calls ask %i times',
		async (label, kind, questions) => {
			const { call, presses, asked } = await openWindow();
			presses(label);
			expect([(await call()).kind, (await call()).kind]).toEqual([kind, kind]);
			expect(asked).toHaveLength(questions);
		},
	);

	test('when the user allows it in a chat, then another chat asks', async () => {
		const { call, presses, asked } = await openWindow();
		presses('Allow in This Chat', 'Skip');
		expect(await call()).toMatchObject({ kind: 'allowed', by: { scope: { kind: 'chat', chat: 'one' } } });
		expect((await call({ chat: 'two' })).kind).toBe('declined');
		expect(asked).toHaveLength(2);
	});

	test('when VS Code cannot ask in the chat yet, then it asks there a moment later, and not in a dialog', async () => {
		const { call, presses, asked } = await openWindow();
		const { tools } = lm;
		lm.tools = [];
		lm.answer = async () => {
			setImmediate(() => {
				lm.tools = tools;
				presses('Allow Once');
			});
			throw new Error('The tool is not registered.');
		};
		expect((await call()).kind).toBe('allowed');
		expect([asked.length, messages]).toEqual([1, []]);
	});

	test('when the user looks at all of it, then it asks again', async () => {
		const { call, presses, asked, seen } = await openWindow();
		const args = { text: 'x'.repeat(5_000) };
		presses('Show All Arguments', 'Allow Once');
		expect((await call({ args })).kind).toBe('allowed');
		expect([seen, asked.length]).toEqual([[args], 2]);
	});

	test('when a rule is made elsewhere while the question is open, then the rule decides', async () => {
		const { call, waits, permissions, tool } = await openWindow();
		const open = waits();
		const decided = call();
		await open;
		const rule = { decision: 'never', server: 'files', tool: tool.name, definition: '', since: 1 } as const;
		await permissions.keep({ ...rule, scope: { kind: 'workspace' } });
		expect(await decided).toEqual({ kind: 'never' });
	});

	test('when a program outside the editor makes it, then a dialog offers the same rules, and closing it declines', async () => {
		const { callOfAgent, permissions, tool } = await openWindow();
		expect((await callOfAgent()).kind).toBe('declined');
		expect(messages).toEqual([`Run “write” from files? | Allow Once | ${always} | ${never}`]);
		answers.push(never);
		expect((await callOfAgent()).kind).toBe('never');
		expect(permissions.ruleFor(tool, undefined)?.decision).toBe('never');
	});

	test('when the message is stopped, then nothing is decided', async () => {
		const { call, waits, stop } = await openWindow();
		const open = waits();
		const decided = call();
		await open;
		stop.abort(new Error('stopped'));
		await expect(decided).rejects.toThrow();
		await expect(call()).rejects.toThrow('stopped');
	});
});

describe('given a call that carries text of another server', () => {
	test('then it asks in spite of a rule, cannot be allowed for good, and the editor’s own “yes” is no answer', async () => {
		const { call, presses, asked } = await openWindow();
		presses(always, 'yes');
		await call();
		expect((await call({ concerns: [concern] })).kind).toBe('declined');
		expect(asked[1]).toEqual(['Allow Once', 'Skip', never]);
		expect(messages).toEqual([`Run “write” from files? | Allow Once | ${never}`]);
	});
});

describe('given a tool that its server annotates as read-only', () => {
	test('then it runs without asking only after the user has trusted the server, and asks if all calls must', async () => {
		const { call, presses, asked } = await openWindow({ annotations: { readOnlyHint: true } });
		presses('Allow Read-Only Tools of files Without Asking');
		expect(await call()).toEqual({ kind: 'allowed', by: 'user' });
		expect(await call()).toEqual({ kind: 'allowed', by: 'reading' });
		expect(asked).toHaveLength(1);
		workspace.settings.set('mcpDiscovery.confirmTools', 'always');
		presses('Skip');
		expect((await call()).kind).toBe('declined');
	});
});
