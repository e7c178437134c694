import { expect, test } from 'vitest';
import { expandTemplate, matchesTemplate, templateVariables } from '../../../src/common/uriTemplate.ts';

/** Examples of RFC 6570, section 3.2: https://www.rfc-editor.org/rfc/rfc6570#section-3.2 */
test.each([
	['{var}', 'value'],
	['O{hello}', 'OHello%20World%21'],
	['{+path}/here', '/foo/bar/here'],
	['X{#hello}', 'X#Hello%20World!'],
	['map?{x,y}', 'map?1024,768'],
	['X{.x,y}', 'X.1024.768'],
	['{/var,x}/here', '/value/1024/here'],
	['{;x,y}', ';x=1024;y=768'],
	['{?x,y}', '?x=1024&y=768'],
	['?fixed=yes{&x}', '?fixed=yes&x=1024'],
	['{undef}', ''],
	['{?x,undef}', '?x=1024'],
])('%s becomes %s', (template, address) => {
	const values = { var: 'value', hello: 'Hello World!', path: '/foo/bar', x: '1024', y: '768' };
	expect(expandTemplate(template, values)).toBe(address);
});

test('variable names are listed once each, without modifiers', () => {
	expect(templateVariables('a://{host}/{+path*}{?q:3,host}')).toEqual([
		{ name: 'host', required: true },
		{ name: 'path', required: true },
		{ name: 'q', required: false },
	]);
	expect(templateVariables('a://b/{}')).toEqual([]);
});

test('a value cannot escape its place in a path', () => {
	expect(expandTemplate('file:///docs/{name}', { name: '../../etc/passwd' })).toBe(
		'file:///docs/..%2F..%2Fetc%2Fpasswd',
	);
});

test.each([
	['file:///{id}', 'file:///7', true],
	['file:///{id}', 'file:///a/b', false],
	['file:///{id}', 'file:///a?b=c', false],
	['file:///{+path}', 'file:///a/b/c', true],
	['file:///{path*}', 'file:///a/b/c', true],
	['git://{repo}/{path*}?ref={ref}', 'git://r/a/b?ref=main', true],
	['git://{repo}/{path*}', 'git://', false],
	['db://{table}/row/{id}', 'db://users/row/7', true],
	['db://{table}/row/{id}', 'db://users/7', false],
	['db://{table}.json', 'db://users.json', true],
	['db://{table}.json', 'db://users.yaml', false],
	['search://find{?q}', 'search://find?q=x', true],
	['file:///{a}{b}', 'file:///xy', true],
	['file:///{id', 'file:///7', false],
	['file:///fixed', 'file:///fixed', true],
	['file:///fixed', 'file:///fixed/more', false],
	['file:///{id}', 'https://evil.example/7', false],
])('of the template %s, %s is an address: %s', (template, uri, expected) => {
	expect(matchesTemplate(template, uri)).toBe(expected);
});
