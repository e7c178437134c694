/**
 * A process of its own that outlives the extension host for a moment: when the host goes, however it goes, the pipe
 * to it ends, and what the host has started is ended too. Its input is a line for each change: `+123 mark` a process group
 * started, `-123` it ended. An entry point: it is bundled by itself and run by path.
 */
import { createInterface } from 'node:readline';
import { defaultLimits } from '../limits.ts';
import { ProcessFamily } from './processGroup.ts';

/** Who belongs to whom is looked at so often; while a family grows, and when it has just come, more often. */
const lookMs = 3_000;
const soonMs = 100;
/** Looks without anybody new, after which a family counts as grown up. */
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
		// 0 and 1 would name our own group and the whole machine.
		if (!Number.isInteger(id) || id <= 1) return;
		const family = families.get(id);
		families.delete(id);
		if (line.startsWith('+')) families.set(id, new ProcessFamily({ id, mark }));
		// The host has ended all that it knows of. What had gone its own way before that, only we have seen.
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
