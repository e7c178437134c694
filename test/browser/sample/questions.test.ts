import { describe, expect } from 'vitest';
import { eventually } from '../eventually.ts';
import type { Workbench } from '../workbench.ts';
import { test } from '../workbenchTest.ts';

/** What the results say that are open, drawn as they are to be read. */
async function drawnText(workbench: Workbench): Promise<string> {
	const frames = await workbench.page.locator('iframe.webview.ready').all();
	const texts = frames.map((frame) => {
		const body = frame.contentFrame().frameLocator('iframe').locator('body');
		return body.innerText({ timeout: 1000 }).catch(() => '');
	});
	return (await Promise.all(texts)).join('\n');
}

/** The open input. */
function question({ page }: Workbench) {
	const widget = page.locator('.quick-input-widget');
	return {
		title: () => widget.locator('.quick-input-title').innerText(),
		input: widget.locator('input.input').first(),
		message: () => widget.locator('.quick-input-message').innerText(),
		text: () => widget.innerText(),
		decline: widget.getByRole('button', { name: 'Decline' }),
		ok: widget.getByRole('button', { name: 'OK' }),
	};
}

/** Runs a tool by hand that may change something. */
async function runTool(workbench: Workbench, name: string): Promise<void> {
	await workbench.runCommand('Discovery: Run Tool…');
	await workbench.quickPickRow('sequentialthinking').waitFor();
	await workbench.page.keyboard.type(`everything:${name}`);
	const focused = workbench.page.locator('.quick-input-list .monaco-list-row.focused');
	await focused.getByText(name, { exact: true }).waitFor();
	await workbench.page.keyboard.press('Enter');
}

/** Chooses a field of the form's list, by typing its name. */
async function chooseField(workbench: Workbench, name: string): Promise<void> {
	const row = workbench.quickPickRow(name).first();
	await workbench.page.keyboard.type(name);
	await row.click();
}

describe('a server asks a person something', () => {
	test('who fills in a form, field by field', async ({ workbench }) => {
		await workbench.openSidebar('Discovery');
		await workbench.tree('Servers').waitForRow('everything', 'tools');
		await runTool(workbench, 'trigger-elicitation-request');
		await workbench.answerDialog('Run trigger-elicitation-request (everything)?', 'Run');
		const { title, input, message, text, ok } = question(workbench);
		await eventually(title).toBe('everything asks you (Tool "trigger-elicitation-request")');
		await eventually(text).toContain('Please provide inputs for the following fields:');
		await workbench.screenshot('question-form');
		await workbench.page.keyboard.press('Enter');
		await eventually(message).toContain('Your full, legal name');
		await workbench.screenshot('question-text');
		await input.fill('Ada');
		await input.press('Enter');
		await workbench.quickPickRow('Send').waitFor();

		await chooseField(workbench, 'String with email format');
		await eventually(message).toContain('Your email address');
		await input.fill('ada');
		await eventually(message).toContain('Must be an email address');
		await workbench.screenshot('question-fault');
		await input.fill('ada@example.com');
		await input.press('Enter');
		await workbench.quickPickRow('Send').waitFor();

		await chooseField(workbench, 'String with date format');
		await eventually(message).toContain('YYYY-MM-DD');
		await input.fill('31.01.2000');
		await eventually(message).toContain('Must be a date, written YYYY-MM-DD');
		await workbench.screenshot('question-date');
		await input.fill('2000-01-31');
		await input.press('Enter');
		await workbench.quickPickRow('Send').waitFor();

		await chooseField(workbench, 'Boolean');
		await workbench.quickPickRow('Yes').waitFor();
		await workbench.screenshot('question-yes-no');
		await workbench.pick('Yes');
		await workbench.quickPickRow('Send').waitFor();

		await chooseField(workbench, 'Integer');
		await eventually(message).toContain('favorite integer');
		await eventually(() => input.inputValue()).toBe('42');
		await workbench.screenshot('question-number');
		await input.fill('');
		await input.press('Enter');
		await workbench.quickPickRow('Send').waitFor();

		await chooseField(workbench, 'Titled Single Select Enum');
		await workbench.quickPickRow('Wonder Woman').waitFor();
		await workbench.screenshot('question-choice');
		await workbench.pick('Wonder Woman');
		await workbench.quickPickRow('Send').waitFor();

		await chooseField(workbench, 'Untitled Multiple Select Enum');
		for (const instrument of ['Piano', 'Violin', 'Drums']) await workbench.pick(instrument);
		await ok.click();
		await eventually(text).toContain('May have at most 3 items.');
		await workbench.screenshot('question-choices');
		await workbench.pick('Guitar');
		await ok.click();
		await workbench.quickPickRow('Send').waitFor();
		await workbench.screenshot('question-filled');
		await workbench.pick('Send');
		await eventually(() => drawnText(workbench)).toContain('"action": "accept"');
		const answer = await drawnText(workbench);
		await workbench.screenshot('question-answered');
		for (const sent of ['"2000-01-31"', '"check": true', '"Ada"', '"ada@example.com"', '"hero-3"', '"Drums"'])
			expect(answer).toContain(sent);
		for (const not of ['"integer": 42', '"Guitar"']) expect(answer).not.toContain(not);
	});

	test('who declines in the chat, puts it away, or stops', async ({ workbench }) => {
		const { title, decline } = question(workbench);
		const ask = async () => {
			await workbench.chat.send('trigger an elicitation request');
			await workbench.chat.confirmation();
			await workbench.chat.allow();
			await eventually(title).toContain('everything asks you');
			await eventually(() => workbench.chat.responseText()).toContain('everything asks you something');
		};
		await ask();
		await workbench.screenshot('question-chat');
		await workbench.page.keyboard.press('Enter');
		await decline.click();
		await workbench.chat.waitForIdle();
		expect(await workbench.chat.responseText()).toContain('and you declined.');
		await workbench.screenshot('question-declined');
		await ask();
		await workbench.page.keyboard.press('Escape');
		await workbench.chat.waitForIdle();
		expect(await workbench.chat.responseText()).toContain('which was dismissed.');
		await ask();
		await workbench.chat.stop();
		await workbench.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
	});

	test('who reads the whole address before it is opened', async ({ workbench }) => {
		const { title, input } = question(workbench);
		const url = `http://xn--exmple-4nf.com/pay?to=${'x'.repeat(200)}`;
		await runTool(workbench, 'trigger-url-elicitation');
		await eventually(title).toContain('(1/2)');
		await input.fill(url);
		await input.press('Enter');
		await eventually(title).toContain('(2/2)');
		await input.press('Enter');
		await workbench.answerDialog('Run trigger-url-elicitation (everything)?', 'Run');
		await eventually(title).toBe('everything asks you (Tool "trigger-url-elicitation")');
		await workbench.screenshot('question-address');
		await workbench.pick('Show Address…');
		const dialog = workbench.page.locator('.monaco-dialog-box');
		await eventually(() => dialog.innerText()).toContain('Host: xn--exmple-4nf.com');
		await workbench.screenshot('question-address-whole');
		expect(await dialog.innerText()).toContain('x'.repeat(200));
		await workbench.answerDialog('Open xn--exmple-4nf.com in the browser?', 'Decline');
		await workbench.page.locator('.tab', { hasText: 'trigger-url-elicitation.md' }).waitFor();
	});
});
