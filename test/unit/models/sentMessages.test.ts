import { expect, test } from 'vitest';
import type { ImageContent } from '../../../src/discovery/catalog/tool.ts';
import { plainAnswer } from '../../../src/models/answerParts.ts';
import { sentMessages } from '../../../src/models/sentMessages.ts';

const png: ImageContent = { type: 'image', data: 'iVBO Rw0KGgo=', mimeType: 'image/jpeg' };

function sent(image: ImageContent, images = true) {
	return sentMessages(
		[
			{ role: 'user', text: 'Look \ud83d', images: [image] },
			plainAnswer('', [
				{ id: 'c1', name: 'a b', input: {} },
				{ id: 'c2', name: 'c', input: {} },
			]),
			{ role: 'tool', results: [{ callId: 'c1', result: { content: [image], isError: false } }] },
		],
		{ images },
	);
}

test('a picture is named as what it is, and goes as it is', () => {
	const picture = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' };
	expect(sent(png)).toMatchObject([
		{ text: 'Look \ufffd', pictures: [picture] },
		{ calls: [{ name: 'a_b', result: { text: '[image image/jpeg]', content: [picture] } }, { name: 'c' }] },
	]);
});

test.each([
	['image/svg+xml', 'PHN2Zy8+', true],
	['image/png', 'not base64!', true],
	['image/png', '', true],
	['image/png', png.data, false],
])('a picture that the model does not take (%s, “%s”) is a placeholder', (mimeType, data, images) => {
	const text = `[image ${mimeType}]`;
	expect(sent({ type: 'image', mimeType, data }, images)).toMatchObject([
		{ text: `Look \ufffd\n${text}`, pictures: [] },
		{ calls: [{ result: { text, content: [{ type: 'text', text }] } }, {}] },
	]);
});

test('an empty result says so', () => {
	const [, answer] = sentMessages(
		[
			plainAnswer('', [{ id: 'c1', name: 'c', input: {} }]),
			{ role: 'tool', results: [{ callId: 'c1', result: { content: [], isError: false } }] },
		],
		{ images: true },
	);
	expect(answer).toMatchObject({ calls: [{ result: { text: 'The tool returned nothing.', content: [] } }] });
});
