import { expect, test } from 'vitest';
import { serverVariables } from '../../../src/config/serverVariables.ts';
import { configTemplate } from '../../../src/config/template.ts';

test('what servers of every section read is found, each name once, and what comments name is not', () => {
	const text = `{
		// \${env:COMMENT}
		"servers": { "a": { "command": "x", "args": ["\${env:ONE}", "-\${env:TWO}-\${env:ONE}"] } },
		"mcpServers": { "b": { "url": "https://b.test", "headers": { "A": "Bearer \${env:THREE}" } } },
		"clients": { "c": { "provider": "openai", "base_url": "\${env:CLIENT}" } }
	}`;
	expect(serverVariables(text)).toEqual(['ONE', 'TWO', 'THREE']);
});

test('a fresh configuration needs no variable, and what cannot be read none either', () => {
	expect(serverVariables(configTemplate)).toEqual([]);
	for (const text of ['', '{ "servers": {', '[]']) expect(serverVariables(text)).toEqual([]);
});
