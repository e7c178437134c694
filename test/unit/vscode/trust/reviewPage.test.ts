import { expect, test, vi } from 'vitest';
import { approvalHash } from '../../../../src/mcp/accepted/launchFacts.ts';
import { ReviewPage } from '../../../../src/vscode/trust/reviewPage.ts';
import type { ReviewMessage, ReviewRequest } from '../../../../src/vscode/trust/reviewView.ts';
import { messages, panels, Uri } from '../editor.ts';
import { launchOf, reviewedServers } from '../reviewedServers.ts';

async function openReview({ chosen = [] as readonly string[] } = {}) {
	const window = await reviewedServers({ files: 'node', web: 'deno' });
	const disabled: string[] = [];
	const page = new ReviewPage({
		...window,
		disable: async (servers) => void disabled.push(...servers),
		extensionUri: Uri.file('/extension') as never,
	});
	const closed = vi.fn();
	void page.show(chosen).then(closed);
	const [panel] = panels;
	if (!panel) throw new Error('the page is open');
	const press = (request: ReviewRequest) => panel.requests.fire(request);
	press({ kind: 'ready' });
	/** The last message to the page that is open. */
	const latest = () => panels[0]?.posted.at(-1) as ReviewMessage;
	const servers = () => latest().view.files.flatMap((file) => file.servers);
	return {
		...window,
		page,
		press,
		disabled,
		closed,
		latest,
		names: () => servers().map(({ name }) => name),
		marks: () => servers().map(({ mark }) => mark),
	};
}

const shown = (name: string, command: string) => ({ name, hash: approvalHash(launchOf(command)) });

test('given servers that were just added, then the page selects them once, and shows all that need approval', async () => {
	const { latest, names, edit } = await openReview({ chosen: ['web'] });
	expect(latest().select).toEqual(['web']);
	expect(names()).toEqual(['files', 'web']);
	edit({ files: 'node', web: 'bun' });
	expect(latest().select).toBeUndefined();
});

test('each approval says that it was done', async () => {
	const { press, closed } = await openReview();
	press({ kind: 'approve', servers: [shown('files', 'node')], trustsHints: false });
	press({ kind: 'approve', servers: [shown('web', 'deno')], trustsHints: false });
	await vi.waitFor(() => expect(closed).toHaveBeenCalled());
	await vi.waitFor(() =>
		expect(messages).toEqual(['Discovery: 1 server approved.', 'Discovery: 1 server approved.']),
	);
});

test('when all are approved, then the page closes', async () => {
	const { press, approvals, names, closed } = await openReview();
	press({ kind: 'approve', servers: [shown('files', 'node')], trustsHints: false });
	await vi.waitFor(() => expect(names()).toEqual(['web']));
	press({ kind: 'approve', servers: [shown('web', 'deno')], trustsHints: true });
	await vi.waitFor(() => expect(closed).toHaveBeenCalled());
	expect(panels).toEqual([]);
	expect([approvals.trustsHints('files'), approvals.trustsHints('web')]).toEqual([false, true]);
});

test('when a server has changed since it was shown, then it is not approved, and the page shows it again', async () => {
	const { press, approvals, edit, names } = await openReview();
	edit({ files: 'curl', web: 'deno' });
	press({ kind: 'approve', servers: [shown('files', 'node'), shown('web', 'deno')], trustsHints: false });
	await vi.waitFor(() => expect(names()).toEqual(['files']));
	expect(approvals.isApproved('files', launchOf('curl'))).toBe(false);
	expect(messages.join()).toContain('files has changed and is not approved');
});

test('when the user decides later, then the server is off the page until its command changes', async () => {
	const { press, edit, names } = await openReview();
	press({ kind: 'postpone', servers: [shown('files', 'node')] });
	expect(names()).toEqual(['web']);
	edit({ files: 'curl', web: 'deno' });
	expect(names()).toEqual(['files', 'web']);
});

test('when the user disables servers, then it passes their names on', async () => {
	const { press, disabled } = await openReview();
	press({ kind: 'disable', servers: [shown('files', 'node'), shown('web', 'deno')] });
	await vi.waitFor(() => expect(disabled).toEqual(['files', 'web']));
});

test('when the page is shown again, then there is one, and it remembers what it has shown', async () => {
	const { page, latest, marks } = await openReview();
	expect(marks()).toEqual(['new', 'new']);
	void page.show(['files']);
	expect(panels).toHaveLength(1);
	expect(latest().select).toEqual(['files']);
	panels[0]?.dispose();
	void page.show([]);
	panels[0]?.requests.fire({ kind: 'ready' });
	await vi.waitFor(() => expect(marks()).toEqual(['seen', 'seen']));
});

test('given no server that needs approval, then a message says so, and no page opens', async () => {
	const { page, press, closed } = await openReview();
	press({
		kind: 'approve',
		servers: [shown('files', 'node'), shown('web', 'deno')],
		trustsHints: false,
	});
	await vi.waitFor(() => expect(closed).toHaveBeenCalled());
	await page.show([]);
	expect(panels).toEqual([]);
	expect(messages.join()).toContain('no server needs approval');
});
