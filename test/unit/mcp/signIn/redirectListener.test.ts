import { expect, onTestFinished, test } from 'vitest';
import { RedirectListener } from '../../../../src/mcp/signIn/redirectListener.ts';

const pages = { received: 'Go back.', denied: 'Denied.', refused: 'Nobody waits for this.' };

test('one answer with the right state is accepted, and everything else is refused', async () => {
	const listener = await RedirectListener.open(0, 'right', pages);
	onTestFinished(() => listener.dispose());
	const visit = async (answer: Record<string, string>, path = '') => {
		const response = await fetch(`${listener.address}${path}?${new URLSearchParams(answer)}`);
		return [response.status, await response.text()];
	};
	const refused = [400, 'Nobody waits for this.\n'];
	for (const state of ['', 'guessed', '<b>x</b>'])
		expect(await visit({ code: 'stolen', state })).toEqual(refused);
	expect(await visit({ code: 'first', state: 'right' }, '/elsewhere')).toEqual([404, refused[1]]);
	expect(await visit({ code: 'first', state: 'right' })).toEqual([200, 'Go back.\n']);
	expect(await visit({ code: 'second', state: 'right' })).toEqual(refused);
	expect((await listener.answer).get('code')).toBe('first');
});

test('an answer at another issuer’s redirect URL is refused, even with the right state', async () => {
	const listener = await RedirectListener.open(0, 'right', pages, '/callback/one');
	onTestFinished(() => listener.dispose());
	const at = (path: string) => `http://127.0.0.1:${listener.port}${path}?code=x&state=right`;
	for (const path of ['/callback', '/callback/two', '/callback/one/', '/callback/ONE']) {
		expect((await fetch(at(path))).status).toBe(404);
		expect(listener.paste(at(path))).toBe(false);
	}
	expect(listener.paste('https://tunnel.example/callback/one?code=x&state=right', listener.address)).toBe(
		true,
	);
});
