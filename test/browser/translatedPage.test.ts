import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { launchChromium } from '../../scripts/chromium.ts';
import { PROJECT_ROOT } from '../../scripts/projectPaths.ts';
import { pageHtml } from '../../src/vscode/ui/page/pageHtml.ts';

const origin = 'https://page.test';

function distFile(name: string): string {
	return readFileSync(path.join(PROJECT_ROOT, 'dist', name), 'utf8');
}

test('given VS Code speaks another language, then the Context page does, under its policy', async () => {
	await using cleanup = new AsyncDisposableStack();
	const browser = await launchChromium();
	cleanup.defer(() => browser.close());
	const page = await browser.newPage();
	const complaints: string[] = [];
	page.on('console', (message) => complaints.push(message.text()));
	page.on('pageerror', ({ message }) => complaints.push(message));
	const html = pageHtml({
		title: 'Context',
		script: `${origin}/contextPage.js`,
		style: `${origin}/contextPage.css`,
		cspSource: origin,
		nonce: 'n1',
		language: 'de',
		texts: {
			'No MCP servers are configured': 'Keine MCP-Server „eingerichtet“ & "mehr" <b>',
		},
	});
	await page.route(`${origin}/**`, async (route) => {
		const { pathname } = new URL(route.request().url());
		if (pathname === '/') await route.fulfill({ contentType: 'text/html', body: html });
		else if (pathname.endsWith('.js'))
			await route.fulfill({ contentType: 'text/javascript', body: distFile('contextPage.js') });
		else await route.fulfill({ contentType: 'text/css', body: distFile('contextPage.css') });
	});
	// What the editor gives its pages.
	await page.addInitScript(
		'globalThis.acquireVsCodeApi = () => ({ postMessage() {}, getState() {}, setState() {} });',
	);
	await page.goto(`${origin}/`);
	// The titles of commands come from the editor, in its language.
	const titles = { createConfig: 'Neu', importServers: 'Server importieren…', openWalkthrough: 'Los' };
	await page.evaluate((message) => postMessage(message), { kind: 'show', view: { kind: 'none' }, titles });
	await page.getByRole('heading', { name: 'Keine MCP-Server „eingerichtet“ & "mehr" <b>' }).waitFor();
	await page.getByRole('button', { name: 'Server importieren…' }).waitFor();
	// What is not translated yet is in English.
	await page.getByText('names the servers, and says which of their tools are deferred.').waitFor();
	expect(await page.locator('html').getAttribute('lang')).toBe('de');
	expect(complaints).toEqual([]);
});
