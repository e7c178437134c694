import { describe, expect, test } from 'vitest';
import { KeyRetries } from '../../../../src/vscode/ui/keyRetries.ts';

const gateway = { baseUrl: 'https://llm.example.com/v1' };
const other = { baseUrl: 'https://other.example.com/v1' };

/** Requests that failed, each of a chat, in their order; what is made again is kept by name. */
function failed(
	...requests: readonly (readonly [chat: object, client: typeof gateway, name: string, holds?: boolean])[]
) {
	const retries = new KeyRetries();
	const made: string[] = [];
	for (const [chat, client, name, holds = true] of requests)
		retries.keep(chat, client, { holds: () => holds, again: async () => made.push(name) });
	const setKey = (client: typeof gateway) => void retries.take(client)?.();
	return { retries, made, setKey };
}

describe('given a request that failed for want of a key', () => {
	test('when the key is set, then it can be made again, once', () => {
		const { made, setKey } = failed([{}, gateway, 'hello']);
		setKey(gateway);
		setKey(gateway);
		expect(made).toEqual(['hello']);
	});

	test('when a key for another address is set, then it waits on', () => {
		const { made, setKey } = failed([{}, gateway, 'hello']);
		setKey(other);
		expect(made).toEqual([]);
		setKey(gateway);
		expect(made).toEqual(['hello']);
	});

	test('when its chat has gone on, then it is not made again', () => {
		const chat = {};
		const { retries, made, setKey } = failed([chat, gateway, 'hello']);
		retries.forget(chat);
		setKey(gateway);
		expect(made).toEqual([]);
	});

	test('when there are several, then the latest is made again that still holds', () => {
		const chat = {};
		const { made, setKey } = failed(
			[chat, gateway, 'first'],
			[{}, gateway, 'second'],
			[chat, gateway, 'third'],
			[{}, gateway, 'of a chat that is not shown', false],
		);
		setKey(gateway);
		expect(made).toEqual(['third']);
	});
});
