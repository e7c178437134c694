import { describe, expect, test } from 'vitest';
import { imageMarkdown, withoutImages } from '../../../src/chat/shownImage.ts';

const dot = { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' } as const;

describe('a picture among the results of a tool', () => {
	test('is shown with its data in the address', () => {
		expect(imageMarkdown(dot)).toBe('![image/png](data:image/png;base64,iVBORw0KGgo=)');
	});

	test.each([
		['text', { type: 'text', text: 'hello' } as const],
		['sound', { ...dot, type: 'audio', mimeType: 'audio/wav' } as const],
		['markup that may run scripts', { ...dot, mimeType: 'image/svg+xml' }],
		['an address of its own', { ...dot, data: ') [x](https://example.com' }],
		['a type that ends the address', { ...dot, mimeType: 'image/png)' }],
		['more than the chat should keep', { ...dot, data: 'A'.repeat(2_000_001) }],
	])('%s is not', (_what, part) => {
		expect(imageMarkdown(part)).toBeUndefined();
	});

	test('is not told to the model in the next turn', () => {
		const answer = `Here:\n\n${imageMarkdown(dot)}\n\nand ![not ours](https://example.com/a.png)`;
		expect(withoutImages(answer)).toBe('Here:\n\n[image]\n\nand ![not ours](https://example.com/a.png)');
	});
});
