// Takes the README's picture: `node scripts/screenshots.ts`, after `npm run package`.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Workbench } from '../test/browser/workbench.ts';
import { type Frame, movingPicture } from './movingPicture.ts';
import { PROJECT_ROOT } from './projectPaths.ts';

const FOLDER = path.join(PROJECT_ROOT, 'media/screenshots');
const SIZE = { width: 1400, height: 800 };
/** Target positions of the borders of the sidebar and the chat panel, from the left, in pixels. */
const SIDEBAR_TO = 470;
const CHAT_FROM = 870;
const BORDER_GAP = 2;
/** By then, the editor has finished fading and drawing. */
const SETTLE_MS = 1_500;

/** Pause between two frames. A frame that shows nothing new is left out. */
const FRAME_MS = 300;
/** How long the question and the end are shown, to be read. */
const READING_MS = 3_000;

/**
 * Takes a moving picture of the window while `act` runs. Between the window before and after, only the chat panel is taken. The picture begins
 * with the window after `act`, which is what viewers that do not play it show.
 */
async function record({ page }: Workbench, name: string, act: () => Promise<void>): Promise<void> {
	const panel = await page.locator('#workbench\\.parts\\.auxiliarybar').boundingBox();
	if (!panel) throw new Error('the chat panel is not showing');
	const clip = {
		x: Math.ceil(panel.x),
		y: Math.ceil(panel.y),
		width: Math.floor(panel.width) - 1,
		height: Math.floor(panel.height) - 1,
	};
	const shots = [{ png: await page.screenshot(), x: 0, y: 0, at: performance.now() }];
	let isOver = false;
	const camera = (async () => {
		while (!isOver) {
			const png = await page.screenshot({ clip });
			if (!shots.at(-1)?.png.equals(png)) shots.push({ png, x: clip.x, y: clip.y, at: performance.now() });
			await page.waitForTimeout(FRAME_MS);
		}
	})();
	try {
		await act();
	} finally {
		isOver = true;
		await camera;
	}
	await page.waitForTimeout(SETTLE_MS);
	const last = { png: await page.screenshot(), x: 0, y: 0, ms: READING_MS };
	const end = performance.now();
	const frames = shots.map(
		({ at, ...shot }, i): Frame => ({
			...shot,
			ms: Math.min(READING_MS, Math.round((shots[i + 1]?.at ?? end) - at)),
		}),
	);
	writeFileSync(path.join(FOLDER, `${name}.png`), movingPicture([last, ...frames]));
}

async function dragBorder(
	workbench: Workbench,
	panel: string,
	edge: 'left' | 'right',
	to: number,
): Promise<void> {
	const box = await workbench.page.locator(panel).boundingBox();
	if (!box) throw new Error(`${panel} is not showing`);
	// The draggable border is between the parts.
	const from = edge === 'left' ? box.x - BORDER_GAP : box.x + box.width + BORDER_GAP;
	const middle = box.y + box.height / 2;
	await workbench.page.mouse.move(from, middle);
	await workbench.page.mouse.down();
	await workbench.page.mouse.move(to, middle, { steps: 10 });
	await workbench.page.mouse.up();
}

async function takeChat(workbench: Workbench): Promise<void> {
	await workbench.page.setViewportSize(SIZE);
	await workbench.openSidebar('Discovery');
	await workbench.tree('Servers').waitForRow('git', '28 tools');
	await workbench.chat.open();
	await dragBorder(workbench, '#workbench\\.parts\\.sidebar', 'right', SIDEBAR_TO);
	await dragBorder(workbench, '#workbench\\.parts\\.auxiliarybar', 'left', CHAT_FROM);
	await workbench.tree('Servers').expand('filesystem');
	await record(workbench, 'chat', async () => {
		await workbench.chat.send('create a file called hello.txt with the text Hello');
		await workbench.chat.confirmation();
		await workbench.page.waitForTimeout(READING_MS);
		await workbench.chat.allow();
		await workbench.chat.waitForIdle();
		await workbench.chat.expandSteps();
		await workbench.page.mouse.move(SIZE.width / 2, SIZE.height / 2);
	});
}

await using workbench = await Workbench.open();
await takeChat(workbench);
