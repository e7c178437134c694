import { describe, expect, test } from 'vitest';
import { SecretMask } from '../../../../src/config/secrets/secretMask.ts';
import { keys, literalKeys, place } from './literalKeys.ts';

const mask = new SecretMask([]);

describe('a literal key is masked', () => {
	test.each(literalKeys)('in %s (%s)', (_language, file, text) => {
		for (const key of keys) {
			const masked = mask.mask(
				text.replace(place, () => key),
				file,
			);
			for (const part of key.split(/[^A-Za-z0-9]+/).filter(Boolean)) expect(masked.text).not.toContain(part);
			expect(masked.text.split('\n')).toHaveLength(text.split('\n').length);
		}
	});

	const [key = ''] = keys;
	test.each([
		['of a client', 'casual_mcp_config.json', `{ "clients": { "a": { "provider": "x", "key": "${key}" } } }`],
		['a word, of an option', 'mcp.json', '{ "command": "x", "args": ["--token", "plainword"] }'],
		['a token', 'a.ts', 'verify("eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoiYW5vbiJ9.q7Zt2mXw9Lk4Vn8Rd3Hs6");'],
		['an issuer’s', 'a.ts', 'start("sk-proj-q7Zt2mXw9Lk4Vn8Rd3Hs6");'],
		['without a name', 'a.ts', 'connect("q7Zt2mXw9Lk4Vn8Rd3Hs6Bj1", "eu");'],
		['in an address', 'a.go', 'Dial("amqp://ada:h/nt%r2@mq.example:5672")'],
		['with a parenthesis', 'a.json', '{ "db": "Host=x;Password=your(!)Weak;Port=1" }'],
		[
			'encrypted',
			'a.py',
			`key = """-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n${'MIIEvQIBADANBgkq\n'.repeat(2)}-----END RSA PRIVATE KEY-----"""`,
		],
		[
			'in lines of a program',
			'a.java',
			`String key = "-----BEGIN PRIVATE KEY-----\\n" +\n\t"${'MIIEvQIBADANBgkq'}" +\n\t"-----END PRIVATE KEY-----";`,
		],
		['of many lines', 'a.py', `token = """\n${'x7Kq2PvR9mTz4LwB8nYc\n'.repeat(2_000)}"""`],
		[
			'of many parts',
			'a.js',
			`const token = ${Array.from({ length: 80 }, () => '"x7Kq2PvR9mTz"').join(' +\n\t')};`,
		],
	])('%s (%s)', (_what, file, text) => {
		const { text: masked } = mask.mask(text, file);
		for (const left of [key, 'plainword', 'eyJ', 'q7Zt', 'nt%r2', 'Weak', 'MIIE', 'x7Kq'])
			expect(masked).not.toContain(left);
		expect(masked).toContain('***');
	});

	test('to the end, if the text is made to cost too much', () => {
		const text = `${'token = [[ '.repeat(20_000)}\nconst apiKey: string = "${key}";`;
		expect(mask.mask(text, 'a.ts').text).not.toContain(key);
	});
});

describe('code without keys is not changed', () => {
	test.each([
		['a type', 'a.ts', 'interface User { password: string; token?: string }'],
		['a call', 'a.ts', 'const token = await getToken("user-profile");'],
		['a hash function', 'a.ts', 'const token = createHash("sha256").update(text).digest("hex");'],
		['an expression', 'a.ts', 'let apiKey = this.options.apiKey ?? props.__apiKey;'],
		['the environment', 'a.ts', 'const token = process.env.API_TOKEN || "";'],
		['a template', 'a.ts', `const header = { Authorization: \`Bearer \${token}\` };`],
		['a message', 'a.ts', 'throw new Error("The token for v2 has expired, code 401");'],
		['a label', 'a.ts', 'const passwordLabel = "Enter your password (8 characters)";'],
		['a rule', 'a.php', "'password' => 'required|min:8|confirmed',"],
		['a cast', 'a.php', "'password' => 'hashed',"],
		['a placeholder', 'a.py', 'API_KEY = "your-api-key-here"'],
		['an algorithm', 'a.ts', 'const jwt = sign(payload, key, { algorithm: "HS256" });'],
		['a type of content', 'a.js', "const JWT = 'application/token-introspection+jwt';"],
		['a key of a keyboard', 'a.ts', 'if (event.key === "Ctrl+Shift+P") open();'],
		['a style', 'a.xaml', '<Style x:Key="OrderItemUnitPriceStyle" TargetType="Label">'],
		['a key of a map', 'a.ts', 'const cacheKey = `v2:user:42`;'],
		['a name of a header', 'a.ts', "const csrfToken = headers['X-CSRF-Token-V2'];"],
		['a member of an enumeration', 'a.rs', "Token::Literal('.') | Token::Literal('/') => None,"],
		['a number', 'a.py', '_DD_SIGNATURE = 0x08074b50'],
		['a version', 'package.json', '{ "dependencies": { "cookie": "^0.7.1" } }'],
		['an identifier with a number', 'a.ts', 'const auth = x509Authentication ? a : b;'],
		[
			'an address of a page',
			'a.ts',
			'// https://example.com/questions/7860392/how-to-check-if-a-text-is-in-base64-or-not',
		],
		['a digest', 'a.ts', 'const seen = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";'],
		[
			'a digest of a package',
			'package-lock.json',
			'{ "integrity": "sha512-q7Zt2mXw9Lk4Vn8Rd3Hs6Bj1q7Zt2mXw9Lk4Vn8Rd3Hs6Bj1==" }',
		],
		['an id', 'a.ts', 'open("3f2b8c1d-9a4e-4f6b-8d2c-7e5a1b0c9d8f");'],
		['a long name', 'a.ts', 'run("createOrUpdateUserProfileV2WithDefaults");'],
		['a port', 'a.ts', 'import "https://localhost:8080/@vite/client";'],
		['the first line of a key', 'a.ts', 'if (pem.indexOf("-----BEGIN PRIVATE KEY-----") !== 0) throw error;'],
		['a joined scheme', 'a.go', 'h.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString(b))'],
		['a list of names', 'a.ts', 'const names = ["password", "username2", "token", "session1"];'],
		['a permission', 'a.yml', 'permissions:\n  id-token: write\n'],
		['a secret of a workflow', 'a.yml', `env:\n  NPM_TOKEN: \${{ secrets.NPM_TOKEN }}\n`],
		['the end of a statement', 'a.ts', 'resetToken();\nconst id = "3f2b8c1d-9a4e-4f6b-8d2c-7e5a1b0c9d8f";'],
		['the next entry', 'a.ts', '{ token: getToken(), id: "3f2b8c1d-9a4e-4f6b-8d2c-7e5a1b0c9d8f" }'],
	])('%s (%s)', (_what, file, text) => {
		expect(mask.mask(text, file)).toEqual({ text, secrets: [] });
	});
});
