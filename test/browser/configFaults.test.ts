import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { publishedServer } from '../servers/launches.ts';
import { eventually } from './eventually.ts';
import { Workbench } from './workbench.ts';

/** Unknown keys, of each of which there is a warning. */
const oddKeys = Object.fromEntries(Array.from({ length: 19 }, (_, i) => [`odd_${i}`, i]));

/** Where the icons of the rows on the first level begin, in pixels from the left. */
async function iconPlaces(workbench: Workbench): Promise<readonly number[]> {
	const icons = workbench.page.locator(
		'.sidebar [role="tree"][aria-label="Servers"] [aria-level="1"] .custom-view-tree-node-item-icon',
	);
	return icons.evaluateAll((all) => all.map((icon) => Math.round(icon.getBoundingClientRect().x)));
}

describe('a person approves one of two servers, and then writes many faults into the file', () => {
	const files = {
		command: process.execPath,
		args: [publishedServer('filesystem'), '.'],
		defer_loading: true,
	};
	const text = (servers: object) => JSON.stringify({ servers, tool_discovery: { enabled: true } });

	test('sees rows in one line as servers come to have tools, and the faults in few rows', async () => {
		const folder = mkdtempSync(path.join(tmpdir(), 'discovery-faults-'));
		using cleanup = new DisposableStack();
		cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
		writeFileSync(path.join(folder, 'casual_mcp_config.json'), text({ files, asleep: files }));
		await using workbench = await Workbench.open({ workspace: folder });
		await workbench.openSidebar('Discovery');
		const tree = workbench.tree('Servers');
		await tree.waitForRow('asleep', 'approval');
		await tree.inlineAction('files', 'Review Servers…');
		const card = workbench.review.getByRole('region', { name: 'files' });
		await card.getByText('Approve', { exact: true }).click();
		await tree.waitForRow('files', '14 tools');
		await eventually(async () => new Set(await iconPlaces(workbench)).size).toBe(1);

		const memory = { command: 5, args: 'x' };
		writeFileSync(
			path.join(workbench.folder, 'casual_mcp_config.json'),
			text({ files: { ...files, ...oddKeys }, asleep: files, memory }),
		);
		const rows = async () =>
			(await tree.rows()).map(({ label, description }) => `${label} ${description.split(' ·')[0]}`);
		await eventually(rows).toEqual([
			'19 warnings ',
			'memory off, 2 faults',
			'files 14 tools',
			'asleep waits for your approval',
		]);
		expect(new Set(await iconPlaces(workbench)).size).toBe(1);
		await tree.expand('memory');
		expect((await tree.rows()).filter(({ level }) => level === 2)).toHaveLength(2);
		await workbench.screenshot('faults-many');
	});
});
