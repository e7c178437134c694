import { expect, test } from 'vitest';
import { historyEntry } from '../../../../src/vscode/participant/history.ts';
import { ChatResponseMarkdownPart, ChatResponseTurn, MarkdownString } from '../editor.ts';

test('a shown answer is what the model said, without our own lines, which have icons', () => {
	const parts = [
		new MarkdownString('$(search) Loaded `files:read`\n\n', true),
		new MarkdownString('The file is '),
		new MarkdownString('empty.'),
		new MarkdownString('\n\n$(output) [files:read](command:x)\n\n', true),
	].map((text) => new ChatResponseMarkdownPart(text));
	expect(historyEntry(new ChatResponseTurn(parts) as never)).toMatchObject({ text: 'The file is empty.' });
});
