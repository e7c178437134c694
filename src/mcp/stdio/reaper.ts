/**
 * A separate process that outlives the extension host for a moment. When the host ends, however that happens, the pipe to it closes, and
 * the reaper ends everything the host has started. Input lines: `+123 mark` a process group started, `-123` it ended. This is an entry
 * point: it is bundled separately and run by path.
 */
import { createInterface } from 'node:readline';
import { defaultLimits } from '../limits.ts';
import { ProcessFamily } from './processGroup.ts';

/** How often families are scanned; more often while one grows or is new. */
const lookMs = 3_000;
const soonMs = 100;
/** Scans without a new member after which a family counts as complete. */
const quietLooks = 20;

const families = new Map<number, ProcessFamily>();
const endings = new Set<Promise<void>>();
let sizes = 0;
let quiet = 0;
let looking: NodeJS.Timeout | undefined;

createInterface({ input: process.stdin })
	.on('line', (line) => {
		const [number, mark = ''] = line.slice(1).split(' ');
		const id = Number(number);
		// 0 and 1 would mean our own group and the whole machine.
		if (!Number.isInteger(id) || id <= 1) return;
		const family = families.get(id);
		families.delete(id);
		if (line.startsWith('+')) families.set(id, new ProcessFamily({ id, mark }));
		// The host has ended what it knew about. Only we have seen what left earlier.
		else if (family) end(family);
		lookSoon();
	})
	.on('close', async () => {
		clearTimeout(looking);
		for (const family of families.values()) end(family);
		families.clear();
		await Promise.all(endings);
	});

function end(family: ProcessFamily): void {
	const ending = family.end(defaultLimits.closeTermMs).finally(() => endings.delete(ending));
	endings.add(ending);
}

function lookSoon(): void {
	quiet = 0;
	clearTimeout(looking);
	looking = setTimeout(look, soonMs);
}

async function look(): Promise<void> {
	const members = await Promise.all([...families.values()].map((family) => family.look()));
	const now = members.flat().length;
	quiet = now > sizes ? 0 : quiet + 1;
	sizes = now;
	clearTimeout(looking);
	if (families.size > 0) looking = setTimeout(look, quiet < quietLooks ? soonMs : lookMs);
}
