import path from 'node:path';
import { describe, expect } from 'vitest';
import { eventually } from './eventually.ts';
import { Workbench } from './workbench.ts';
import { workbenchTest } from './workbenchTest.ts';

const test = workbenchTest(() => Workbench.open({ approveServers: false }));

/** More stops than any of these pages has. */
const MOST_STOPS = 120;

/** What has no name for who cannot see it, as an outline of the page lists it; texts stand for themselves. */
async function unnamed({ review }: Workbench): Promise<readonly string[]> {
	const outline = await review.locator('main').ariaSnapshot();
	expect(outline).toContain('- button "');
	const named =
		/^\s*- (button|checkbox|switch|radio|searchbox|link|progressbar|table|row|rowheader|region)\b(?! ")/;
	return outline.split('\n').filter((line) => named.test(line));
}

/** Everything that can be pressed, checked, unfolded or typed into; of radio buttons, which arrow keys go through, the chosen one. */
async function controls({ review }: Workbench): Promise<readonly string[]> {
	return review
		.locator('button:enabled, input:not([type=radio]), input[type=radio]:checked, summary, a[href]')
		.evaluateAll((all) =>
			all.map((one, i) => {
				one.setAttribute('data-stop', `${i}`);
				return `${i}`;
			}),
		);
}

/** Presses Tab from where a page begins until it leaves it: which controls that reaches, and which of them do not show that they have the focus. */
async function walk(workbench: Workbench) {
	const { page, review } = workbench;
	const all = await controls(workbench);
	const reached: string[] = [];
	const hidden: string[] = [];
	for (let i = 0; i < MOST_STOPS; i++) {
		await page.keyboard.press('Tab');
		const stop = await review.locator('body').evaluate(() => {
			const focused = document.activeElement;
			// The mark of a radio button is the word beside it.
			const marks = [focused, focused?.nextElementSibling].map((one) => one && getComputedStyle(one));
			const isShown = marks.some((style) => style?.outlineStyle === 'solid');
			return { id: focused?.getAttribute('data-stop'), isShown };
		});
		if (stop.id == null) break;
		reached.push(stop.id);
		if (!stop.isShown) hidden.push(stop.id);
	}
	return { missed: all.filter((id) => !reached.includes(id)), hidden };
}

/** Presses Tab, or Shift+Tab, until what has this role and name has the focus. */
async function tabTo(
	{ page, review }: Workbench,
	role: 'button' | 'checkbox' | 'switch' | 'searchbox',
	name: string,
	key = 'Tab',
): Promise<void> {
	const control = review.getByRole(role, { name, exact: true });
	for (let i = 0; i < MOST_STOPS; i++) {
		if (await control.evaluate((one) => one === document.activeElement)) return;
		await page.keyboard.press(key);
	}
	throw new Error(`the keyboard does not reach ${name}`);
}

describe('a person without a mouse', () => {
	test('opens the review: all of it can be reached, shows when it is, and has a name', async ({
		workbench,
	}) => {
		await workbench.runCommand('Discovery: Review Servers…');
		await workbench.review.getByRole('table').waitFor();
		expect(await unnamed(workbench)).toEqual([]);
		expect(await walk(workbench)).toEqual({ missed: [], hidden: [] });
	});

	test('finds a server in it and approves that, then all others', async ({ workbench }) => {
		const { review, page } = workbench;
		const rows = () => review.locator('tr[data-key]').count();
		const all = await rows();
		await tabTo(workbench, 'searchbox', 'Filter servers', 'Shift+Tab');
		await page.keyboard.type('thinking/dist');
		await eventually(rows).toBe(1);
		await tabTo(workbench, 'checkbox', 'sequential-thinking');
		await page.keyboard.press('Space');
		await tabTo(workbench, 'button', 'Approve', 'Shift+Tab');
		await page.keyboard.press('Enter');
		await workbench.openSidebar('Discovery');
		await workbench.tree('Servers').waitForRow('sequential-thinking', '1 tool');
		await workbench.runCommand('Discovery: Review Servers…');
		await tabTo(workbench, 'searchbox', 'Filter servers', 'Shift+Tab');
		await page.keyboard.press('ControlOrMeta+A');
		await page.keyboard.press('Delete');
		await eventually(rows).toBe(all - 1);
		await tabTo(workbench, 'checkbox', `Select all servers of ${path.basename(workbench.folder)}`);
		await page.keyboard.press('Space');
		await tabTo(workbench, 'button', 'Approve', 'Shift+Tab');
		await page.keyboard.press('Enter');
		await workbench.tree('Servers').waitForRow('git', '28 tools');
	});

	test('opens the context page of a chat: likewise', async ({ workbench }) => {
		await workbench.runCommand('Notifications: Clear All Notifications');
		await workbench.chat.send('/load git:git_log');
		await workbench.chat.waitForIdle();
		await workbench.runCommand('Discovery: Show Context');
		await workbench.review.getByRole('heading', { name: 'Timeline' }).waitFor();
		expect(await unnamed(workbench)).toEqual([]);
		expect(await walk(workbench)).toEqual({ missed: [], hidden: [] });
	});
});
