import type { Locator, Page } from 'playwright-core';
import type { Steps } from './steps.ts';

const SCROLL_STEP_PX = 200;
const SCROLL_TRIES = 40;
/** A menu ignores clicks for a moment after it has opened. */
const MENU_PAUSE_MS = 300;
/** After this time, a row that was clicked and is not open has not got the click. */
const OPENING_LIMIT_MS = 9_000;

/** Matches the name of a button or menu entry, with or without its key. */
function withKey(name: string): RegExp {
	return new RegExp(`^${RegExp.escape(name)}( ?\\(?(Ctrl|Alt|Shift|Del|F\\d).*)?$`);
}

/** What one visible row of a tree says. */
export interface TreeRow {
	readonly label: string;
	readonly description: string;
	/** What a screen reader says. */
	readonly spoken: string;
	/** 1 for the top level. */
	readonly level: number;
	/** undefined for a leaf. */
	readonly expanded: boolean | undefined;
}

/** A tree of the sidebar. The page contains only the rows in view, so actions scroll to theirs. */
export class TreeView {
	readonly #page: Page;
	readonly #steps: Steps;
	readonly #view: string;

	constructor(page: Page, steps: Steps, view: string) {
		this.#page = page;
		this.#steps = steps;
		this.#view = view;
	}

	/** The rows in view, from top to bottom. */
	async rows(): Promise<readonly TreeRow[]> {
		const rows = await this.#tree()
			.getByRole('treeitem')
			.evaluateAll((elements) =>
				elements.map((element) => ({
					index: Number(element.getAttribute('data-index')),
					label: element.querySelector('.label-name')?.textContent ?? '',
					description: element.querySelector('.label-description')?.textContent ?? '',
					spoken: element.getAttribute('aria-label') ?? '',
					level: Number(element.getAttribute('aria-level')),
					expanded: element.getAttribute('aria-expanded'),
				})),
			);
		return rows
			.toSorted((a, b) => a.index - b.index)
			.map(({ index: _, expanded, ...row }) => ({
				...row,
				expanded: expanded === null ? undefined : expanded === 'true',
			}));
	}

	/** The welcome content of an empty view, or an empty text. */
	async welcomeText(): Promise<string> {
		const welcome = this.#pane().locator('.welcome-view-content');
		return (await welcome.isVisible()) ? welcome.innerText() : '';
	}

	/** Waits for a row with this label that shows this text, or says it to a screen reader: some states are only an icon. */
	async waitForRow(label: string, text: string | RegExp = ''): Promise<void> {
		await this.#steps.run(`find ${label} ${text} in ${this.#view}`, async () => {
			const row = this.#row(label);
			const spoken = row.and(this.#page.getByLabel(text));
			await row.filter({ hasText: text }).or(spoken).first().waitFor();
		});
	}

	/** Opens a row and waits for its first child. */
	async expand(label: string): Promise<void> {
		await this.#steps.run(`expand ${label} in ${this.#view}`, async () => {
			const row = await this.#reveal(label);
			const isOpen = async () => (await row.getAttribute('aria-expanded')) === 'true';
			while (!(await isOpen())) {
				await row.locator('.monaco-tl-twistie').click();
				// The tree uses the elements of its rows again: one drawn at this moment may get the click of another.
				const open = this.#tree().locator('[aria-expanded="true"]').and(row);
				await open.waitFor({ timeout: OPENING_LIMIT_MS }).catch(() => {});
			}
			const below = Number(await row.getAttribute('data-index')) + 1;
			const level = Number(await row.getAttribute('aria-level')) + 1;
			await this.#tree().locator(`[data-index="${below}"][aria-level="${level}"]`).waitFor();
		});
	}

	/** Points at a row and presses one of its inline actions, by the action's title. */
	async inlineAction(label: string, action: string): Promise<void> {
		await this.#steps.run(`press ${action} on ${label} in ${this.#view}`, async () => {
			const row = await this.#reveal(label);
			await row.hover();
			await row.getByRole('button', { name: withKey(action) }).click();
		});
	}

	/** Opens a row's context menu and chooses an entry. */
	async contextMenu(label: string, entry: string): Promise<void> {
		await this.#steps.run(`choose ${entry} on ${label} in ${this.#view}`, async () => {
			const row = await this.#reveal(label);
			await row.click({ button: 'right' });
			const item = this.#page.getByRole('menuitem', { name: withKey(entry) });
			await item.hover();
			await this.#page.waitForTimeout(MENU_PAUSE_MS);
			await item.click();
			await item.waitFor({ state: 'hidden' });
		});
	}

	/** Presses an action of the view's title. A container with one view shows its actions in the container's title. */
	async titleAction(action: string): Promise<void> {
		await this.#steps.run(`press ${action} in the title of ${this.#view}`, async () => {
			// The tooltip of a row under the mouse covers the tree until the mouse leaves the row.
			await this.#page.mouse.move(0, 0);
			await this.#tree().hover();
			const shared = this.#page.locator('.sidebar .composite.title', { hasText: this.#view });
			const own = this.#pane().locator('.pane-header');
			await shared
				.or(own)
				.getByRole('button', { name: withKey(action) })
				.click();
		});
	}

	#pane(): Locator {
		return this.#page.locator('.sidebar .pane', {
			has: this.#page.locator(`.pane-header[aria-label^="${this.#view}"]`),
		});
	}

	#tree(): Locator {
		return this.#page.locator(`.sidebar [role="tree"][aria-label="${this.#view}"]`);
	}

	#row(label: string): Locator {
		const name = this.#page.locator('.label-name').getByText(label, { exact: true });
		return this.#tree().getByRole('treeitem').filter({ has: name });
	}

	/** Scrolls until the row is in view. */
	async #reveal(label: string): Promise<Locator> {
		const row = this.#row(label).first();
		await this.#tree().getByRole('treeitem').first().waitFor();
		if (await row.isVisible()) return row;
		await this.#tree().hover();
		await this.#page.mouse.wheel(0, -SCROLL_STEP_PX * SCROLL_TRIES);
		for (let tries = 0; tries < SCROLL_TRIES && !(await row.isVisible()); tries++) {
			await this.#page.mouse.wheel(0, SCROLL_STEP_PX);
			await this.#page.waitForTimeout(50);
		}
		await row.waitFor();
		return row;
	}
}
