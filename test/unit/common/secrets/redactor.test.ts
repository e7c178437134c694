import { describe, expect, test } from 'vitest';
import { Redactor } from '../../../../src/common/secrets/redactor.ts';

const key = 'acme-9f8e7d6c/5b4a+3928';

describe('a known secret is redacted in each form in which programs write it', () => {
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

	const odd = `p"w/ä ö'<&>+%\\1`;
	const json = JSON.stringify(odd).slice(1, -1);
	const jsonEscape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
	const ascii = (text: string) => text.replace(/[^ -~]/g, (unit) => jsonEscape(unit));
	const wrapped = Buffer.from(`${key}-${'long'.repeat(20)}`);
	test.each([
		['in JSON', json],
		['in JSON of ASCII alone', ascii(json)],
		['in JSON within JSON', JSON.stringify(json).slice(1, -1)],
		['in JSON with slashes escaped', json.replaceAll('/', '\\/')],
		[
			'in JSON that is safe in HTML',
			ascii(json).replace(/[<>&'+]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`),
		],
		['in an address', encodeURIComponent(odd)],
		[
			'in an address, in small letters',
			encodeURIComponent(odd).replace(/%../g, (code) => code.toLowerCase()),
		],
		['in a path', encodeURIComponent(odd).replaceAll('%2F', '/')],
		['in a form', new URLSearchParams({ x: odd }).toString().slice(2)],
		['in an address within an address', encodeURIComponent(encodeURIComponent(odd))],
		[
			'in HTML',
			odd
				.replaceAll('&', '&amp;')
				.replaceAll('<', '&lt;')
				.replaceAll('>', '&gt;')
				.replaceAll('"', '&quot;')
				.replaceAll("'", '&#39;'),
		],
		['in XML', odd.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')],
		['between quotes of a shell', odd.replaceAll("'", `'\\''`)],
		['between quotes of a program', odd.replace(/['\\]/g, '\\$&')],
		['in hexadecimal', Buffer.from(odd).toString('hex')],
		['in hexadecimal, in capitals', Buffer.from(odd).toString('hex').toUpperCase()],
		['in escapes of JSON alone', [...odd].map(jsonEscape).join('')],
		['in escapes of a program alone', Buffer.from(odd).toString('hex').replace(/../g, '\\x$&')],
		['in escapes of an address alone', Buffer.from(odd).toString('hex').replace(/../g, '%$&')],
		['in numbers of HTML alone', [...odd].map((one) => `&#${one.codePointAt(0)};`).join('')],
		[
			'in hexadecimal numbers of HTML',
			[...odd].map((one) => `&#x${one.codePointAt(0)?.toString(16)};`).join(''),
		],
		['with something invisible in it', `${odd.slice(0, 3)}\u200b${odd.slice(3)}`],
		['with colours in it', `${odd.slice(0, 3)}\u001b[31m${odd.slice(3)}`],
	])('%s', (_, said) => {
		expect(new Redactor([odd]).hideKnown(`it is ${said}.`)).toBe('it is ***.');
		expect(new Redactor([odd]).hide(`it is ${said}.`)).toBe('it is ***.');
	});

	test.each(['', 'a', 'ab', 'abc', 'user:', 'ünï:'])(
		'in Base64 after %j, and before other text',
		(before) => {
			for (const after of ['', ':', '\n', ':more']) {
				for (const encoding of ['base64', 'base64url'] as const) {
					const said = Buffer.from(before + key + after).toString(encoding);
					const hidden = new Redactor([key]).hideKnown(said);
					expect(hidden).toContain('***');
					// The characters at either end hold a few bits of the secret, but never a whole character of it.
					expect(Buffer.from(hidden.split('***')[0] ?? '', 'base64').toString('latin1')).not.toContain(
						'acme',
					);
					expect(hidden.replace('***', '').length).toBeLessThan(2 * (before.length + after.length) + 8);
				}
			}
		},
	);

	test.each([64, 76])('in Base64 with lines of %i characters', (length) => {
		const text = wrapped.toString('base64');
		const lines = text.match(new RegExp(`.{1,${length}}`, 'g')) ?? [];
		expect(new Redactor([wrapped.toString()]).hideKnown(lines.join('\n')).replaceAll('=', '')).toMatch(
			/^\*{3}\n/,
		);
	});

	test('even if it is short: in Base64, after an escape, and with its own escapes', () => {
		const redactor = new Redactor(['pw1', 'p@s', 'a"b']);
		expect(
			redactor.hideKnown('cHcx \\npw1 \\u000apw1 user%3Apw1%40host p%40s a\\"b &quot;pw1&quot; Zpw1'),
		).toBe('*** \\n*** \\u000a*** user%3A***%40host *** *** &quot;***&quot; Zpw1');
	});

	test('even inside a word if it is long and has only letters', () => {
		const redactor = new Redactor(['correcthorsebattery']);
		expect(redactor.hideKnown('xcorrecthorsebatteryx')).toBe('x***x');
	});

	test('even if only one line of a multi-line key occurs', () => {
		const pem =
			'-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEF\nAASCBKcwggSjAgEAAoIBAQC7\n-----END PRIVATE KEY-----';
		const redactor = new Redactor([pem]);
		expect(redactor.hideKnown('key: AASCBKcwggSjAgEAAoIBAQC7')).toBe('key: ***');
		expect(redactor.hideKnown(`a ${pem} b`)).toBe('a *** b');
	});

	test('completely when two of them overlap', () => {
		const redactor = new Redactor(['abcdefgh12', 'gh12345678', 'abcdefgh']);
		expect(redactor.hideKnown('<abcdefgh12345678>')).toBe('<***>');
	});

	test('as a whole word if it is short, and not at all if it is a common word', () => {
		const redactor = new Redactor(['pw1', '4711', 'postgres', 'ab', 'swordfish']);
		expect(redactor.hideKnown('pw1, "pw1" pw12 xpw1 4711 147110 postgres ab swordfish swordfishes')).toBe(
			'***, "***" pw12 xpw1 *** 147110 postgres ab *** swordfishes',
		);
	});
});

describe('text that looks like a secret is redacted in logs and errors, but not in answers', () => {
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
		['run --api-key "abc def" -v', 'run --api-key "***" -v'],
		["run --token 'abc' -v", "run --token '***' -v"],
		['GET /v1?key=abc123&x=1', 'GET /v1?key=***&x=1'],
		['back at /cb?code=f00dcafe&state=x', 'back at /cb?code=***&state=x'],
		['PASSWORD\t=\thunter2', 'PASSWORD\t=\t***'],
		['password  :=  "hunter2"', 'password  :=  "***"'],
		['{ :password => "hunter2" }', '{ :password => "***" }'],
		['<password>hunter2</password>', '<password>***</password>'],
		["[('x-api-key', 'hunter2')]", "[('x-api-key', '***')]"],
		['state=1&x=password%3Dhunter2%26y', 'state=1&x=password%3D***%26y'],
		['%7B%22token%22%3A%22abc%22%7D', '%7B%22token%22%3A%22***%22%7D'],
		['Passwort: geheim1', 'Passwort: ***'],
		['curl -u ada:hunter2 https://x.test', 'curl -u ada:*** https://x.test'],
		[
			'POST https://hooks.slack.com/services/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',
			'POST https://hooks.slack.com/services/T0AB1CD2E/B0AB1CD2E/***',
		],
		[
			'https://api.telegram.org/bot123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw4/getMe',
			'https://api.telegram.org/bot123456789:***/getMe',
		],
		[
			'https://discord.com/api/webhooks/12345/a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6',
			'https://discord.com/api/webhooks/12345/***',
		],
		['key sk-proj-q7Zt2mXw9L\u200bk4Vn8Rd3Hs6', 'key ***'],
	])('%s', (said, hidden) => {
		expect(new Redactor().hide(said)).toBe(hidden);
		expect(new Redactor(['unrelated-1']).hideKnown(said)).toBe(said);
	});

	test.each([
		'required: ["apiKey", "query", "token", "limit"]',
		'GET /list?key=name&sort=asc&code=404&auth=none',
		'<token>',
		'if (token == other) return',

		'token: expired',
		'the token is expired or invalid',
		'token = parse(stream)',
		'TOKEN\tNAME',
		'invalid password: must not be empty',
		'give --token to authenticate, or set password: it is required',
		'API key: not set',
		'const token = process.env.TOKEN;',
		'basic authentication is off',
		'docker run -u app:staff -p8080:80 mcp/fetch',
		'curl -u ada https://x.test',
		'listening on http://127.0.0.1:8080/mcp',
		'GET https://x.test/jobs/3f2b8c1d-9a4e-4f6b-8d2c-7e5a1b0c9d8f 200',
		'12:30:00 INFO [auth] session: none, key: user',
		'max_tokens=4096, next_token=abc',
		'at Object.<anonymous> (/home/ada/server.js:12:3)',
	])('but not in the harmless text %s', (said) => {
		expect(new Redactor().hide(said)).toBe(said);
	});
});

describe('given text that was truncated inside a secret', () => {
	const redactor = new Redactor([key]);

	test.each([4, 10, key.length - 1])('then the %i remaining characters at its end are redacted', (left) => {
		expect(redactor.hideCut(`it is ${key.slice(0, left)}`)).toBe('it is ***');
	});

	test('then a word stays that a short secret begins with', () => {
		expect(new Redactor(['test-1']).hideCut('it is the test')).toBe('it is the test');
	});
});

describe('redaction of a JSON value', () => {
	const redactor = new Redactor([key]);

	test('covers texts at any depth, but not image data', () => {
		const answer = JSON.parse(
			`{"a": ["${key}", 1, null, {"b": "x ${key}"}], "${key}": true, "__proto__": "${key}",
			"content": [{"type": "image", "mimeType": "image/png", "data": "${key}"}, {"resource": {"blob": "${key}"}}]}`,
		);
		expect(JSON.stringify(redactor.hideKnownIn(answer))).toBe(
			`{"a":["***",1,null,{"b":"x ***"}],"__proto__":"***","content":[{"type":"image","mimeType":"image/png","data":"${key}"},{"resource":{"blob":"${key}"}}],"***":true}`,
		);
		expect(Object.getPrototypeOf(answer)).toBe(Object.prototype);
	});

	test('covers only the given keys if requested, so a schema keeps its names and rules', () => {
		const schema = {
			description: 'It is 471123',
			properties: { '471123': { type: '471123', default: 471123, examples: [{ a: ['471123'] }] } },
		};
		expect(
			new Redactor(['471123']).hideKnownIn(schema, new Set(['description', 'default', 'examples'])),
		).toEqual({
			description: 'It is ***',
			properties: { '471123': { type: '471123', default: '***', examples: [{ a: ['***'] }] } },
		});
	});

	test('covers data that encodes a text', () => {
		const base64 = (text: string) => Buffer.from(text).toString('base64');
		const answer = { contents: [{ mimeType: 'text/plain', blob: base64(`KEY=${key} ü`) }] };
		expect(redactor.hideKnownIn(answer)).toEqual({
			contents: [{ mimeType: 'text/plain', blob: base64('KEY=*** ü') }],
		});
	});

	test('covers numbers, and data that is not an image', () => {
		const answer = { pin: 471123, other: 471124, list: [{ data: 'it is 471123', mimeType: 'text/plain' }] };
		expect(new Redactor(['471123']).hideKnownIn(answer)).toEqual({
			pin: '***',
			other: 471124,
			list: [{ data: 'it is ***', mimeType: 'text/plain' }],
		});
	});

	test('works at any depth', () => {
		let bomb: unknown = key;
		for (let depth = 0; depth < 100_000; depth++) bomb = [bomb];
		let inner = redactor.hideKnownIn(bomb);
		while (Array.isArray(inner)) inner = inner[0];
		expect(inner).toBe('***');
	});
});
