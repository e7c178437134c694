import { rmSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { outsideBrackets, pseudo } from '../../scripts/l10n/pseudo.ts';
import type { CommandName } from '../../src/vscode/ui/ids.ts';
import { titleOf as englishTitle } from '../localizedPackage.ts';
import { ContextPage } from './contextPage.ts';
import { Workbench } from './workbench.ts';

const titleOf = (command: CommandName) => pseudo(englishTitle(command));

/** Names that no language changes: of servers, tools, files, keys and products. Numbers, signs and short words say nothing. */
const NAMES = new RegExp(
	[
		'casual_mcp_config\\.json|VS Code|Discovery|stdio|HTTP|JSON|MCP|npx|node|esc|Ctrl|Alt|Shift|Delete|F\\d',
		'workspace|filesystem|git|memory|sequential-thinking|everything|time|search_tools',
		'[a-z]+(?:_[a-z]+)+|[\\w.-]*/[\\w./@-]+|--?[a-z][\\w-]*|[\\w-]+\\.(?:js|json|md|txt)|\\$\\{[^}]*\\}',
	].join('|'),
	'g',
);

/** Words of a shown text that nobody has translated. */
function forgotten(shown: string): readonly string[] {
	return (
		outsideBrackets(shown)
			.replace(NAMES, ' ')
			.match(/\p{L}{3,}/gu) ?? []
	);
}

/** Commands that ask what for, in a list. */
const asking: readonly CommandName[] = [
	'searchTools',
	'runTool',
	'sortTools',
	'selectToolset',
	'disable',
	'pinServer',
	'browseResources',
	'showServerLog',
];

/** A walk through the interface in the pseudo-language, which takes down what was forgotten or cut off. */
class Walk {
	readonly found: string[] = [];

	/** One stop of the walk; where something is missing there, the others are still seen. */
	async step(where: string, look: (where: string) => Promise<void>): Promise<void> {
		try {
			await look(where);
		} catch (error) {
			this.found.push(`${where}: ${String(error).slice(0, 300)}`);
		}
	}

	/** Looks at texts of ours. */
	texts(where: string, texts: readonly string[]): void {
		if (texts.length === 0) this.found.push(`${where}: there is no text`);
		for (const text of texts) {
			const words = forgotten(text);
			if (words.length > 0) this.found.push(`${where}: not translated: ${words.join(' ')} (in “${text}”)`);
			if (text.split('⟦').length !== text.split('⟧').length) this.found.push(`${where}: cut off: “${text}”`);
		}
	}

	/** Looks at what elements say, and at whether they show all of it. */
	async whole(where: string, elements: Locator): Promise<void> {
		await elements.first().waitFor();
		this.texts(
			where,
			(await elements.allInnerTexts()).filter((text) => text.trim() !== ''),
		);
		const hidden = await elements.evaluateAll((all) =>
			all
				.filter((one) => {
					const words = document.createRange();
					words.selectNodeContents(one);
					const { right } = words.getBoundingClientRect();
					for (let box: Element | null = one; box; box = box.parentElement) {
						const isClipped = getComputedStyle(box).overflowX !== 'visible';
						if (isClipped && right > box.getBoundingClientRect().right + 1) return true;
					}
					return false;
				})
				.map((one) => one.textContent ?? ''),
		);
		for (const text of hidden) this.found.push(`${where}: no room for “${text}”`);
	}

	/** Looks at a page of ours: at each of its texts, and at whether it is wider than its tab. */
	async page(where: string, frame: FrameLocator): Promise<void> {
		const body = frame.locator('body');
		const texts = await body.evaluate((root) => {
			const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
			const found: string[] = [];
			for (let node = walker.nextNode(); node; node = walker.nextNode()) {
				const parent = node.parentElement;
				const isShown = parent?.checkVisibility() && !parent.closest('code, script, style');
				if (isShown && node.textContent?.trim()) found.push(node.textContent.trim());
			}
			return found;
		});
		this.texts(where, texts);
		const labels = await frame
			.locator('[aria-label]')
			.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''));
		if (labels.length > 0) this.texts(`${where}, for screen readers`, labels);
		const wide = await body.evaluate((root) => root.scrollWidth - document.documentElement.clientWidth);
		if (wide > 1) this.found.push(`${where}: ${wide} pixels wider than its tab`);
		const buttons = frame.locator('button:visible');
		if ((await buttons.count()) > 0) await this.whole(`${where}, buttons`, buttons);
	}
}

test('given VS Code speaks another language, then all of the interface does, and nothing of it is cut off', async () => {
	await using workbench = await Workbench.open({ pseudo: true, approveServers: false, container: '⟦' });
	const { page, chat } = workbench;
	const walk = new Walk();
	const sidebar = page.locator('.sidebar');
	const descriptions = sidebar.locator('.monaco-list-row .label-description');
	const welcome = sidebar.locator('.welcome-view-content p, .welcome-view-content .monaco-button');
	const toasts = page.locator('.notifications-toasts');
	const quick = page.locator('.quick-input-widget');
	const rows = quick.locator('.quick-input-list .monaco-list-row');
	const palette = async (text: string) => {
		await page.keyboard.press('F1');
		await quick.locator('input').first().fill(`>${text}`);
	};
	const run = async (command: CommandName) => {
		await palette(titleOf(command));
		await rows
			.filter({ hasText: titleOf(command) })
			.first()
			.click();
	};
	const close = async () => {
		await page.keyboard.press('Escape');
		await quick.waitFor({ state: 'hidden' });
	};

	await walk.step('the question about servers', async (where) => {
		await walk.whole(where, toasts.locator('.notification-list-item-message'));
		await toasts.getByRole('button', { name: pseudo('Review…') }).click();
	});
	await walk.step('the review', async (where) => {
		await workbench.review.getByRole('table').waitFor();
		await walk.page(where, workbench.review);
	});
	await walk.step('rows that wait', async (where) => {
		await workbench.openSidebar('⟦');
		await descriptions.filter({ hasText: '⟦' }).first().waitFor();
		walk.texts(where, await descriptions.allInnerTexts());
		await workbench.approveReviewed();
	});
	await walk.step('rows', async (where) => {
		const filesystem = sidebar.locator('.monaco-list-row', { hasText: 'filesystem' });
		await expect.poll(() => filesystem.locator('.label-description').innerText()).toContain('14');
		// While a server starts, its row ends with what the server wrote last, in its own language.
		const [starting = ''] = pseudo('Starting').split('~');
		await expect.poll(async () => (await descriptions.allInnerTexts()).join()).not.toContain(starting);
		walk.texts(where, await descriptions.allInnerTexts());
	});
	await walk.step('titles of views', (where) => walk.whole(where, sidebar.locator('.pane-header .title')));
	await walk.step('buttons of views', async (where) => {
		const buttons = sidebar.locator('.pane-header .action-label[aria-label]');
		const named = await buttons.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''));
		walk.texts(
			where,
			named.filter((name) => !/^(Collapse All|More Actions|Views and More Actions)/.test(name)),
		);
	});
	await walk.step('the menu of a server', async (where) => {
		await sidebar.locator('.monaco-list-row', { hasText: 'filesystem' }).click({ button: 'right' });
		const entries = page.locator('.monaco-menu .action-label:not(.separator)');
		await entries.first().waitFor();
		walk.texts(
			where,
			(await entries.allInnerTexts()).filter((text) => text.trim() !== ''),
		);
		await page.keyboard.press('Escape');
	});
	await walk.step('the palette', async (where) => {
		await palette('⟦');
		await rows.filter({ hasText: '⟦' }).first().waitFor();
		const labels = await rows.locator('.label-name').allInnerTexts();
		walk.texts(
			where,
			labels.filter((label) => label.includes('⟦')),
		);
		await close();
	});
	for (const command of asking) {
		await walk.step(`what ${command} asks`, async (where) => {
			await run(command);
			await rows.first().waitFor();
			await expect.poll(() => rows.first().innerText()).not.toContain(titleOf(command));
			const title = (await quick.locator('.quick-input-title').innerText()).trim();
			const placeholder = (await quick.locator('input').first().getAttribute('placeholder')) ?? '';
			const room = await quick
				.locator('input')
				.first()
				.evaluate((input: HTMLInputElement) => {
					const { font } = getComputedStyle(input);
					const paper = document.createElement('canvas').getContext('2d');
					if (!paper) throw new Error('nothing can be measured');
					paper.font = font;
					return input.clientWidth - paper.measureText(input.placeholder).width;
				});
			if (room < 0) walk.found.push(`${where}: no room for “${placeholder}”, ${Math.round(-room)} pixels`);
			const details = await rows.locator('.label-description').allInnerTexts();
			walk.texts(
				where,
				[title, placeholder, ...details].filter((text) => text !== ''),
			);
			await close();
		});
	}
	await walk.step('the context page', async (where) => {
		await page.locator('.statusbar-item', { hasText: '/24' }).click();
		await new ContextPage(workbench).state.waitFor();
		await walk.page(where, workbench.webview);
	});
	await walk.step('lines over the file', async (where) => {
		await workbench.openConfiguration(() => run('openConfig'));
		const lenses = page.locator('.codelens-decoration');
		await lenses.first().waitFor();
		walk.texts(where, await lenses.allInnerTexts());
	});
	await walk.step('the greeting', async (where) => {
		await chat.send('@discovery');
		await chat.waitForText('⟦');
		await chat.waitForIdle();
		walk.texts(where, [await chat.responseText()]);
	});
	await walk.step('an answer', async (where) => {
		await chat.send('/context');
		await chat.waitForIdle();
		walk.texts(where, [await chat.responseText()]);
	});
	await walk.step('the first steps', async (where) => {
		await run('openWalkthrough');
		const steps = page.locator('.gettingStartedContainer');
		await steps.locator('.getting-started-step').first().waitFor();
		await walk.whole(where, steps.locator('.getting-started-step .step-title'));
		const open = steps.locator('.getting-started-step.expanded');
		await walk.whole(where, open.locator('.step-description, .monaco-button'));
	});
	await walk.step('the welcome', async (where) => {
		rmSync(path.join(workbench.folder, 'casual_mcp_config.json'));
		await welcome
			.filter({ hasText: titleOf('createConfig') })
			.first()
			.waitFor();
		await walk.whole(where, welcome);
	});
	expect(walk.found).toEqual([]);
});
