import { expect, test } from 'vitest';
import { pageHtml } from '../../../../src/vscode/context/pageHtml.ts';

test('the page loads its own script and styles, and nothing else; nothing stands inline', () => {
	const html = pageHtml({
		script: 'https://r/p.js',
		style: 'https://r/p.css',
		cspSource: 'https://r',
		nonce: 'n1',
	});
	const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1];
	expect(policy).toBe("default-src 'none'; style-src https://r; script-src 'nonce-n1'");
	expect(html.match(/<script[^>]*>[^<]*/g)).toEqual(['<script nonce="n1" src="https://r/p.js">']);
	expect(html).not.toMatch(/<style|style=|\son\w+=/);
});
