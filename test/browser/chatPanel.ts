import type { Locator, Page } from 'playwright-core';
import type { Steps } from './steps.ts';

/** Slow enough for the editor to recognize a mention, and for the completion list to keep up. */
const TYPING_DELAY_MS = 15;
const ANSWER_LIMIT_MS = 60_000;
/** A mention becomes a chip only after the extension has registered its participant, so it may have to be typed again. */
const MENTION = '@discovery';
const MENTION_TRIES = 20;
const MENTION_PAUSE_MS = 500;
/** A menu ignores clicks for a moment after it has opened. */
const MENU_PAUSE_MS = 250;

/** What a question in the chat says, and the buttons that answer it. */
export interface Confirmation {
	readonly text: string;
	readonly buttons: readonly string[];
}

/** The chat panel, as a person sees it. */
export class ChatPanel {
	readonly #page: Page;
	readonly #steps: Steps;

	constructor(page: Page, steps: Steps) {
		this.#page = page;
		this.#steps = steps;
	}

	/** Sends a message to `@discovery`, with or without the mention, and waits until it is in the conversation. */
	async send(text: string): Promise<void> {
		await this.#steps.run(`send “${text}”`, async () => {
			await this.open();
			const before = await this.#lastIndex();
			const message = text.replace(MENTION, '').trim();
			await this.#enter(message);
			let pressed = Number.NEGATIVE_INFINITY;
			await this.#waitUntil(async () => {
				if ((await this.#lastIndex()) > before) return true;
				// A completion list that opens at this moment takes the key, and a page that has just loaded takes the focus.
				if (performance.now() - pressed > MENTION_PAUSE_MS && (await this.#holds(message))) {
					if (pressed > 0) await this.#input().click();
					await this.#page.keyboard.press('Enter');
					pressed = performance.now();
				}
				// The list may instead have put another participant in its place.
				if (/^@(?!discovery)/.test(await this.#shown())) {
					await this.#clear();
					await this.#enter(message);
				}
				return false;
			});
		});
	}

	/** Waits until the last answer is complete. Answer its confirmations first. */
	async waitForIdle(limitMs = ANSWER_LIMIT_MS): Promise<void> {
		await this.#steps.run('wait for the answer', () =>
			this.#waitUntil(async () => (await this.#isAnswered()) && !(await this.isBusy()), limitMs),
		);
	}

	/** True while the stop button shows. */
	async isBusy(): Promise<boolean> {
		return this.#stopButton().isVisible();
	}

	/** The text of the last answer: `Completed 3 steps`, the messages of tools, then the answer itself. */
	async responseText(): Promise<string> {
		const text = await this.#lastResponse().locator('.value').first().innerText();
		// Code is shown in an editor, with blanks that do not break.
		return text.replaceAll('\u00a0', ' ');
	}

	/** Waits until the last answer contains a text, complete or not. */
	async waitForText(text: string | RegExp, limitMs = ANSWER_LIMIT_MS): Promise<void> {
		await this.#steps.run(`see “${text}” in the answer`, () =>
			this.#panel()
				.locator('.interactive-response')
				.last()
				.getByText(text)
				.first()
				.waitFor({ timeout: limitMs }),
		);
	}

	/** Waits for the question before a tool runs, and returns what it says. */
	async confirmation(limitMs = ANSWER_LIMIT_MS): Promise<Confirmation> {
		return this.#steps.run('see a confirmation', async () => {
			const widget = this.#confirmation();
			await widget.waitFor({ timeout: limitMs });
			await this.#answers().first().waitFor();
			// Without the invisible places at which long words may wrap.
			const text = (await widget.innerText()).replaceAll('\u200b', '');
			return { text, buttons: await this.#answers().allInnerTexts() };
		});
	}

	/** Allows the tool that waits this once: the main button. */
	async allow(): Promise<void> {
		await this.#answer(/^Allow/);
	}

	/** Goes on without running the tool that waits. */
	async skip(): Promise<void> {
		await this.choose('Skip');
	}

	/** Answers the question by the button of that name, or by the entry of its menu. */
	async choose(answer: string): Promise<void> {
		const exact = new RegExp(`^${answer}$`);
		await this.#answers().first().waitFor({ timeout: ANSWER_LIMIT_MS });
		if ((await this.#answers().filter({ hasText: exact }).count()) > 0) return this.#answer(exact);
		await this.openAnswers();
		await this.#steps.run(`choose ${answer}`, async () => {
			const entry = this.#page.getByRole('menuitem', { name: answer, exact: true });
			await entry.hover();
			await this.#page.waitForTimeout(MENU_PAUSE_MS);
			await entry.click();
			await entry.waitFor({ state: 'hidden' });
		});
	}

	/** Opens the menu of answers without a button of their own, and returns its entries. */
	async openAnswers(): Promise<readonly string[]> {
		return this.#steps.run('open the further answers', async () => {
			await this.#confirmation().locator('.monaco-dropdown-button').click();
			const entries = this.#page.getByRole('menuitem');
			await entries.filter({ hasText: 'Never Allow' }).waitFor();
			return (await entries.allInnerTexts()).filter((text) => text !== '');
		});
	}

	/** Presses the stop button. */
	async stop(): Promise<void> {
		await this.#steps.run('stop the answer', () =>
			// Not with the mouse: a notification may lie over it.
			this.#stopButton().press('Enter'),
		);
	}

	/** The labels of the follow-up suggestions over the input. */
	async followups(): Promise<readonly string[]> {
		return this.#panel().locator('.interactive-input-followups .monaco-button').allInnerTexts();
	}

	/** Waits for a follow-up suggestion and presses it, which sends it. */
	async pressFollowup(name: string): Promise<void> {
		await this.#steps.run(`press the suggestion ${name}`, async () => {
			const before = await this.#lastIndex();
			const followups = this.#panel().locator('.interactive-input-followups');
			await followups.getByText(name, { exact: true }).click();
			await this.#waitUntil(async () => (await this.#lastIndex()) > before);
		});
	}

	/** Presses the last button or link of that name in the last answer. */
	async pressInAnswer(name: string): Promise<void> {
		await this.#steps.run(`press ${name} in the answer`, () =>
			this.#lastResponse()
				.getByRole('button', { name, exact: true })
				.or(this.#lastResponse().locator('a', { hasText: name }))
				.last()
				.click(),
		);
	}

	/** Expands the steps (progress, tools), which fold when the answer is complete. */
	async expandSteps(): Promise<void> {
		await this.#steps.run('expand the steps', async () => {
			await this.#lastResponse().locator('summary.completed-response-summary').click();
		});
	}

	/** The name of the model that answers. */
	async modelName(): Promise<string> {
		return this.#modelName().innerText();
	}

	/** Picks a model by its name, with the keyboard. */
	async pickModel(name: string): Promise<void> {
		await this.#steps.run(`pick the model ${name}`, async () => {
			await this.open();
			if ((await this.modelName()) === name) return;
			await this.#waitUntil(async () => {
				const names = await this.#filterModels(name);
				await this.#page.keyboard.press(names[0] === name ? 'Enter' : 'Escape');
				await this.#modelPicker().waitFor({ state: 'hidden' });
				return (await this.modelName()) === name;
			});
		});
	}

	/** Starts a new chat with the panel's button. The command may open it in an editor. */
	async startNew(): Promise<void> {
		await this.#steps.run('start a new chat', async () => {
			await this.open();
			if ((await this.#lastIndex()) < 0) return;
			await this.#page.locator('.part.auxiliarybar a.action-label[aria-label^="New Chat"]').first().click();
			await this.#waitUntil(async () => (await this.#lastIndex()) < 0);
		});
	}

	/** Shows the panel, unless it is showing. */
	async open(): Promise<void> {
		if (await this.#panel().isVisible()) return;
		await this.#page.keyboard.press('Control+Alt+I');
		await this.#panel().waitFor();
	}

	/** Makes the input begin with the participant's chip: it is sticky, or has to be typed. */
	async #mention(): Promise<void> {
		const input = this.#input();
		const chip = input.locator('[class*="ced-chat-session-text"]', { hasText: MENTION });
		for (let tries = 0; tries < MENTION_TRIES; tries++) {
			await input.click();
			if (await chip.first().isVisible()) return this.#page.keyboard.press('Control+End');
			await this.#page.keyboard.press('Control+A');
			await this.#page.keyboard.press('Delete');
			await this.#type(`${MENTION} `);
			const shown = chip.first().waitFor({ timeout: MENTION_PAUSE_MS });
			await shown.catch(() => {});
		}
		throw new Error(`${MENTION} is not known to the chat`);
	}

	/** Inserts the message behind the mention at once. On a busy machine, a completion may come between two keys. */
	async #enter(message: string): Promise<void> {
		// Without the blank, Enter takes the completion of a lone slash command instead of sending it.
		const typed = /^\/\w+$/.test(message) ? `${message} ` : message;
		for (let tries = 0; tries < MENTION_TRIES; tries++) {
			await this.#mention();
			await this.#page.keyboard.insertText(typed);
			const isThere = this.#waitUntil(() => this.#holds(message), MENTION_PAUSE_MS);
			if (
				await isThere.then(
					() => true,
					() => false,
				)
			)
				return;
			await this.#clear();
		}
		throw new Error(`the input does not hold “${message}”`);
	}

	/** Whether the input is the mention and the message. */
	async #holds(message: string): Promise<boolean> {
		return unbroken(await this.#shown()).endsWith(unbroken(`${MENTION} ${message}`));
	}

	/** What is typed in the input. */
	async #shown(): Promise<string> {
		return (await this.#input().locator('.view-lines').innerText()).replaceAll('\u00a0', ' ');
	}

	async #clear(): Promise<void> {
		await this.#page.keyboard.press('Control+A');
		await this.#page.keyboard.press('Delete');
	}

	#type(text: string): Promise<void> {
		return this.#page.keyboard.type(text, { delay: TYPING_DELAY_MS });
	}

	#input(): Locator {
		return this.#panel().locator('.interactive-input-part .monaco-editor').first();
	}

	#panel(): Locator {
		return this.#page.locator('.part.auxiliarybar .interactive-session').first();
	}

	#lastResponse(): Locator {
		return this.#panel().locator('.interactive-response').last();
	}

	#modelName(): Locator {
		return this.#panel().locator('.interactive-input-part .model-picker-name').first();
	}

	#modelPicker(): Locator {
		return this.#page.locator('.action-widget').first();
	}

	/** Opens the model picker and types into its filter. With a single model, it has none and this returns nothing. */
	async #filterModels(words: string): Promise<readonly string[]> {
		await this.open();
		await this.#modelName().click();
		await this.#modelPicker().waitFor();
		const filter = this.#modelPicker().locator('.action-list-filter-input');
		if (!(await filter.isVisible())) return [];
		await filter.fill(words);
		return this.#modelPicker().locator('.monaco-list-row.action .title').allInnerTexts();
	}

	#stopButton(): Locator {
		return this.#panel().locator('.interactive-input-part .codicon-stop-circle').first();
	}

	/** The question before a call, above the input. */
	#confirmation(): Locator {
		return this.#panel().locator('.chat-tool-confirmation-carousel').last();
	}

	/** Its buttons, without the arrow that opens the menu of further answers. */
	#answers(): Locator {
		return this.#confirmation().locator(
			'.chat-confirmation-widget-buttons .monaco-text-button:not(.monaco-dropdown-button)',
		);
	}

	/** Position of the last message in the conversation; the list keeps only rows in view in the page. */
	async #lastIndex(): Promise<number> {
		const indexes = await this.#panel()
			.locator('.interactive-list .monaco-list-row')
			.evaluateAll((rows) => rows.map((row) => Number(row.getAttribute('data-index'))));
		return Math.max(-1, ...indexes);
	}

	async #isAnswered(): Promise<boolean> {
		const last = this.#panel().locator('.interactive-list .monaco-list-row[data-last-element="true"]');
		const response = last.locator('.interactive-response');
		if ((await response.count()) === 0) return false;
		return !(await response
			.first()
			.evaluate((element) => element.classList.contains('chat-response-loading')));
	}

	async #answer(button: RegExp): Promise<void> {
		await this.#steps.run(`press ${button.source}`, async () => {
			const answer = this.#answers().filter({ hasText: button }).first();
			await answer.waitFor({ timeout: ANSWER_LIMIT_MS });
			await answer.click();
		});
	}

	async #waitUntil(condition: () => Promise<boolean>, limitMs = ANSWER_LIMIT_MS): Promise<void> {
		const deadline = performance.now() + limitMs;
		while (!(await condition())) {
			if (performance.now() > deadline) throw new Error(`nothing after ${limitMs / 1_000} s`);
			await this.#page.waitForTimeout(50);
		}
	}
}

/** The text without line breaks, which the editor shows where a line wraps. */
function unbroken(text: string): string {
	return text.replace(/\s+/g, '');
}
