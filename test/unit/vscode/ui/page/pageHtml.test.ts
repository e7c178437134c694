import { expect, test } from 'vitest';
import { pageHtml } from '../../../../../src/vscode/ui/page/pageHtml.ts';

const sources = {
	title: 'Context',
	script: 'https://r/p.js',
	style: 'https://r/p.css',
	cspSource: 'https://r',
	nonce: 'n1',
	language: 'en',
};

test('the page loads only its own script and styles, and has no inline ones', () => {
	const html = pageHtml(sources);
	const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1];
	expect(policy).toBe("default-src 'none'; style-src https://r; script-src 'nonce-n1'");
	expect(html.match(/<script[^>]*>[^<]*/g)).toEqual(['<script nonce="n1" src="https://r/p.js">']);
	expect(html).not.toMatch(/<style|style=|\son\w+=/);
	expect(html).not.toContain('data-texts');
});

test('the page embeds its translation, whatever characters the texts contain', () => {
	const texts = { Pin: 'Anheften & "mehr"', Why: '"><script>alert(1)</script>' };
	const html = pageHtml({ ...sources, language: 'de', texts });
	const attribute = /<body data-texts="([^"]*)">/.exec(html)?.[1] ?? '';
	const read = attribute.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
	expect(JSON.parse(read)).toEqual(texts);
	expect(html).toContain('<html lang="de">');
	expect(html.match(/<script/g)).toHaveLength(1);
});
