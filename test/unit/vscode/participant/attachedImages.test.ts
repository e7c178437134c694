import { expect, test } from 'vitest';
import { attachedImages } from '../../../../src/vscode/participant/attachedImages.ts';

function attached(...values: readonly unknown[]): ReturnType<typeof attachedImages> {
	return attachedImages({ references: values.map((value) => ({ id: 'a', value: value as string })) });
}

const picture = (data: () => Promise<unknown>) => ({ mimeType: 'image/png', data });

test('pictures are sent along; what is none is not', async () => {
	const data = async () => Uint8Array.of(1, 2);
	expect(await attached(picture(data), 'a word', { mimeType: 'text/plain', data })).toEqual({
		images: [{ type: 'image', data: 'AQI=', mimeType: 'image/png' }],
		faults: [],
	});
});

test.each([
	['too large', async () => new Uint8Array(6 * 1024 * 1024), /of 6\.0 MB was not sent: models take 5\.0 MB/],
	['gone', async () => Promise.reject(new Error('not found')), /cannot be read/],
	['empty', async () => undefined, /cannot be read/],
])('a picture that is %s is told of, and the others are sent', async (_what, data, fault) => {
	const { images, faults } = await attached(
		picture(data),
		picture(async () => Uint8Array.of(1)),
	);
	expect(images).toHaveLength(1);
	expect(faults).toEqual([expect.stringMatching(fault)]);
});
