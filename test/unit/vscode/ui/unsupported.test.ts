import { describe, expect, test } from 'vitest';
import type * as vscode from 'vscode';
import {
	attachmentName,
	isAttachedImage,
	isErrorResult,
	isSystemMessage,
	keepOrder,
	openExactUrl,
	takesImages,
	withDetails,
} from '../../../../src/vscode/ui/unsupported.ts';

const address = 'https://example.org/?to=a%26b';

/** An editor that opens what `takes` accepts, and what it was handed. */
function browser(takes: (target: unknown) => boolean) {
	const opened: unknown[] = [];
	const api = {
		env: {
			openExternal: async (target: unknown) => {
				if (!takes(target)) throw new TypeError('not a Uri');
				opened.push(target);
				return true;
			},
		},
		Uri: { parse: (text: string) => ({ parsed: text }) },
	};
	return { api: api as unknown as Pick<typeof vscode, 'env' | 'Uri'>, opened };
}

/** What the editor hands over, which has whatever this version of it has. */
const given = <T>(value: object) => value as T;

describe('given an editor with properties that are not in the public API', () => {
	test('then the extension uses these properties', async () => {
		const pick = given<vscode.QuickPick<vscode.QuickPickItem>>({ sortByLabel: true });
		keepOrder(pick);
		expect(pick).toEqual({ sortByLabel: false });
		expect(isSystemMessage(given({ role: 3 }))).toBe(true);
		expect(isErrorResult(given({ isError: true }))).toBe(true);
		expect(takesImages(given({ capabilities: { supportsImageToText: false } }))).toBe(false);
		expect(attachmentName(given({ name: 'notes' }))).toBe('notes');
		expect(isAttachedImage({ mimeType: 'image/png', data: () => new Uint8Array() })).toBe(true);
		expect(withDetails({ metadata: {} }, 'stopped')).toEqual({ metadata: {}, details: 'stopped' });
		const { api, opened } = browser((target) => typeof target === 'string');
		expect(await openExactUrl(address, api)).toBe(true);
		expect(opened).toEqual([address]);
	});
});

describe('given an editor without these properties', () => {
	test('then the extension falls back without an error', async () => {
		expect(() => keepOrder(given(Object.freeze({})))).not.toThrow();
		expect(isSystemMessage({ role: 1 })).toBe(false);
		expect(isErrorResult(given({ content: [] }))).toBe(false);
		expect(takesImages(given({}))).toBe(true);
		expect(attachmentName(given({ id: 'file' }))).toBeUndefined();
		expect(isAttachedImage('a text')).toBe(false);
		const { api, opened } = browser((target) => typeof target === 'object');
		expect(await openExactUrl(address, api)).toBe(true);
		expect(opened).toEqual([{ parsed: address }]);
	});
});
