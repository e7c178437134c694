import { describe, expect, test } from 'vitest';
import { Redactor } from '../../../../src/common/secrets/redactor.ts';

const key = 'acme-9f8e7d6c/5b4a+3928';

describe('a known secret is hidden in each form that programs write it in', () => {
	test.each([
		['as it is', key],
		['in an address', encodeURIComponent(key)],
		['in base 64', Buffer.from(key).toString('base64')],
		['in base 64 for addresses', Buffer.from(key).toString('base64url')],
		['with quotes in it, in JSON', JSON.stringify('say "friend" 1').slice(1, -1)],
		['several times', `${key}${key} ${key}`],
	])('%s', (_, said) => {
		const redactor = new Redactor([key, 'say "friend" 1']);
		for (const hidden of [redactor.hideKnown(`it is ${said}.`), redactor.hide(`it is ${said}.`)]) {
			expect(hidden).toMatch(/^it is (\*\*\* ?)+=*\.$/);
		}
	});

	test('a line of a key that has several', () => {
		const pem =
			'-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEF\nAASCBKcwggSjAgEAAoIBAQC7\n-----END PRIVATE KEY-----';
		const redactor = new Redactor([pem]);
		expect(redactor.hideKnown('key: AASCBKcwggSjAgEAAoIBAQC7')).toBe('key: ***');
		expect(redactor.hideKnown(`a ${pem} b`)).toBe('a *** b');
	});

	test('two that overlap, whole', () => {
		const redactor = new Redactor(['abcdefgh12', 'gh12345678', 'abcdefgh']);
		expect(redactor.hideKnown('<abcdefgh12345678>')).toBe('<***>');
	});

	test('a short one as a word, and not within others; what everybody knows not at all', () => {
		const redactor = new Redactor(['pw1', '4711', 'postgres', 'ab', 'swordfish']);
		expect(redactor.hideKnown('pw1, "pw1" pw12 xpw1 4711 147110 postgres ab swordfish swordfishes')).toBe(
			'***, "***" pw12 xpw1 *** 147110 postgres ab *** swordfishes',
		);
	});
});

describe('what looks like a secret is hidden in logs and errors, and in answers is not', () => {
	test.each([
		['DB_PASS=hunter2 is wrong', 'DB_PASS=*** is wrong'],
		['{"password":"a\\"b","user":"ada"}', '{"password":"***","user":"ada"}'],
		['{\\"apiKey\\":\\"k1\\",\\"a\\":1}', '{\\"apiKey\\":\\"***\\",\\"a\\":1}'],
		["{ token: 'abc', port: 1 }", "{ token: '***', port: 1 }"],
		['GET /x?access_token=abc&page=2 401', 'GET /x?access_token=***&page=2 401'],
		['cannot connect to postgres://ada:hunter2@db:5432/x', 'cannot connect to postgres://ada:***@db:5432/x'],
		['Authorization: Bearer abc.def', 'Authorization: Bearer ***'],
		['headers: authorization: Basic YWRhOmh1bnRlcjI=', 'headers: authorization: Basic ***'],
		['sent bearer q7Zt2mXw9Lk4', 'sent bearer ***'],
		['Incorrect API key provided: sk-proj-q7Zt2mXw9Lk4Vn8Rd3Hs6', 'Incorrect API key provided: ***'],
		['run --password hunter2 --verbose', 'run --password *** --verbose'],
		['Set-Cookie: sid=abc; Path=/', 'Set-Cookie: ***'],
		['password = hunter2', 'password = ***'],
		['Server=x;Pwd=abc;Encrypt=true', 'Server=x;Pwd=***;Encrypt=true'],
	])('%s', (said, hidden) => {
		expect(new Redactor().hide(said)).toBe(hidden);
		expect(new Redactor().hideKnown(said)).toBe(said);
	});

	test.each([
		'token: expired',
		'invalid password: must not be empty',
		'give --token to authenticate, or set password: it is required',
		'API key: not set',
		'const token = process.env.TOKEN;',
		'basic authentication is off',
		'listening on http://127.0.0.1:8080/mcp',
		'GET https://x.test/jobs/3f2b8c1d-9a4e-4f6b-8d2c-7e5a1b0c9d8f 200',
		'12:30:00 INFO [auth] session: none, key: user',
		'max_tokens=4096, next_token=abc',
		'at Object.<anonymous> (/home/ada/server.js:12:3)',
	])('and this stays: %s', (said) => {
		expect(new Redactor().hide(said)).toBe(said);
	});
});

describe('a text that was cut in the middle of a secret', () => {
	const redactor = new Redactor([key]);

	test.each([4, 10, key.length - 1])('at its end, %i characters being left', (left) => {
		expect(redactor.hideCut(`it is ${key.slice(0, left)}`, 'end')).toBe('it is ***');
	});

	test.each([4, 10, key.length - 1])('at its beginning, %i characters being left', (left) => {
		expect(redactor.hideCut(`${key.slice(-left)} it is`, 'beginning')).toBe('*** it is');
	});
});

describe('in a value of JSON', () => {
	const redactor = new Redactor([key]);

	test('all texts, wherever they stand, and the data of pictures is left alone', () => {
		const answer = JSON.parse(
			`{"a": ["${key}", 1, null, {"b": "x ${key}"}], "${key}": true, "__proto__": "${key}",
			"content": [{"type": "image", "mimeType": "image/png", "data": "${key}"}, {"resource": {"blob": "${key}"}}]}`,
		);
		expect(JSON.stringify(redactor.hideKnownIn(answer))).toBe(
			`{"a":["***",1,null,{"b":"x ***"}],"__proto__":"***","content":[{"type":"image","mimeType":"image/png","data":"${key}"},{"resource":{"blob":"${key}"}}],"***":true}`,
		);
		expect(Object.getPrototypeOf(answer)).toBe(Object.prototype);
	});

	test('however deep it is', () => {
		let bomb: unknown = key;
		for (let depth = 0; depth < 100_000; depth++) bomb = [bomb];
		let inner = redactor.hideKnownIn(bomb);
		while (Array.isArray(inner)) inner = inner[0];
		expect(inner).toBe('***');
	});
});
