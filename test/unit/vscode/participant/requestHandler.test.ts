import { describe, expect, test } from 'vitest';
import { Readiness } from '../../../../src/vscode/participant/readiness.ts';
import { RequestHandler } from '../../../../src/vscode/participant/requestHandler.ts';
import { CancellationTokenSource, Uri } from '../editor.ts';
import { launchOf, reviewedServers } from '../reviewedServers.ts';

const saved = { id: 'one', turns: 1 };

async function openChat({ approved = true, stopped = false } = {}) {
	const window = await reviewedServers({ files: 'node', web: 'deno' });
	if (approved) await window.approvals.approve(new Map([['files', launchOf('node')]]), false);
	const steps: string[] = [];
	const said: string[] = [];
	const session = { id: 'one' };
	const outcome = { called: ['files__read'], stopped, next: { loaded: 2 } };
	/** Notes a step, and answers with a value. */
	const step = <T>(name: string, value: T): T => {
		steps.push(name);
		return value;
	};
	const handler = new RequestHandler({
		readiness: new Readiness({ ...window, pool: {} as never }),
		chats: {
			open: async () => step('open', session),
			end: async () => step('end', saved),
		} as never,
		editorTools: { refresh: () => step('refresh', undefined) } as never,
		commands: { answer: async ({ name }: { name: string }) => step(`/${name}`, outcome) } as never,
		models: { answer: async () => step('model', outcome) } as never,
		extensionUri: Uri.file('/extension') as never,
	});
	const stream = {
		markdown: (text: string | { readonly value: string }) =>
			void said.push(typeof text === 'string' ? text : text.value),
		progress: () => {},
		button: ({ command }: { readonly command: string }) => void said.push(command),
	};
	const { token } = new CancellationTokenSource();
	const send = (prompt: string, command?: string) =>
		handler.answer({
			request: { prompt, command, references: [], toolReferences: [] },
			context: { history: [] },
			stream,
			token,
		} as never);
	return { send, steps, said };
}

describe('given a chat whose server is approved', () => {
	test('when a message comes, then the model answers in the chat’s session, which the answer names', async () => {
		const { send, steps } = await openChat();
		expect(await send('create a file')).toEqual({
			metadata: { session: saved, called: ['files__read'], asked: 'create a file', next: { loaded: 2 } },
		});
		expect(steps).toEqual(['refresh', 'open', 'model', 'end']);
	});

	test('when a slash command comes, then no model is asked', async () => {
		const { send, steps } = await openChat();
		const { metadata } = await send('files', 'tools');
		expect(metadata).not.toHaveProperty('asked');
		expect(steps).toEqual(['refresh', 'open', '/tools', 'end']);
	});

	test('when the user stops the answer, then it says so, and its session is kept', async () => {
		const { send } = await openChat({ stopped: true });
		expect(await send('create a file')).toMatchObject({
			metadata: { session: saved, stopped: true },
			details: 'You stopped this answer before it was complete.',
		});
	});

	test('when the user only greets, then neither model nor session is needed, and servers that wait are named', async () => {
		const { send, steps, said } = await openChat();
		expect(await send('')).toEqual({ metadata: { outcome: 'greeted' } });
		expect(steps).toEqual([]);
		expect(said.join()).toContain('Needs approval, so not started: web');
	});
});

test('given no approved server, when the user greets, then the answer greets, does not wait, and says what is missing', async () => {
	const { send, steps, said } = await openChat({ approved: false });
	expect(await send('')).toEqual({ metadata: { outcome: 'greeted' } });
	expect(steps).toEqual([]);
	expect(said.join()).toContain('MCP servers start only after you approve them');
});
