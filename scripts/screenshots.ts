// Takes the README's pictures anew: `node scripts/screenshots.ts`, after `npm run package`.
import path from 'node:path';
import { Workbench } from '../test/browser/workbench.ts';
import { PROJECT_ROOT } from './projectPaths.ts';

const FOLDER = path.join(PROJECT_ROOT, 'media/screenshots');
const SIZE = { width: 1400, height: 800 };
/** Where the borders of the sidebar and of the chat panel are dragged to, from the left, in pixels. */
const SIDEBAR_TO = 470;
const CHAT_FROM = 870;
const BORDER_GAP = 2;

async function dragBorder(
	workbench: Workbench,
	panel: string,
	edge: 'left' | 'right',
	to: number,
): Promise<void> {
	const box = await workbench.page.locator(panel).boundingBox();
	if (!box) throw new Error(`${panel} is not showing`);
	// The border that can be dragged lies between the parts.
	const from = edge === 'left' ? box.x - BORDER_GAP : box.x + box.width + BORDER_GAP;
	const middle = box.y + box.height / 2;
	await workbench.page.mouse.move(from, middle);
	await workbench.page.mouse.down();
	await workbench.page.mouse.move(to, middle, { steps: 10 });
	await workbench.page.mouse.up();
}

await using workbench = await Workbench.open();
await workbench.page.setViewportSize(SIZE);
await workbench.openSidebar('Discovery');
await workbench.tree('Servers').waitForRow('git', '28 tools');
await workbench.chat.open();
await dragBorder(workbench, '#workbench\\.parts\\.sidebar', 'right', SIDEBAR_TO);
await dragBorder(workbench, '#workbench\\.parts\\.auxiliarybar', 'left', CHAT_FROM);
await workbench.chat.send('create a file called hello.txt with the text Hello');
await workbench.chat.confirmation();
await workbench.page.screenshot({ path: path.join(FOLDER, 'confirmation.png') });
await workbench.chat.allow();
await workbench.chat.waitForIdle();
await workbench.chat.expandSteps();
await workbench.tree('Servers').expand('filesystem');
await workbench.page.mouse.move(SIZE.width / 2, SIZE.height / 2);
await workbench.page.waitForTimeout(1_000);
await workbench.page.screenshot({ path: path.join(FOLDER, 'chat.png') });

// The page alone, as high as what it has to show.
await workbench.chat.send('what changed in git lately, show the log');
await workbench.chat.waitForIdle();
await workbench.page.keyboard.press('Control+Alt+B');
await workbench.page.keyboard.press('Control+B');
await workbench.page.setViewportSize({ width: 1_200, height: 1_400 });
await workbench.runCommand('Discovery: Show Context');
await workbench.page.mouse.move(SIZE.width, 0);
await workbench.page.waitForTimeout(2_000);
await workbench.page.screenshot({ path: path.join(FOLDER, 'context.png') });
