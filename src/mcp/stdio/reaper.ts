/**
 * A separate process that outlives the extension host for a moment. When the host ends, however that happens, the pipe to it closes, and
 * the reaper ends everything the host has started. Input lines: `+123 mark` a process group started, `-123` it ended. This is an entry
 * point: it is bundled separately and run by path.
 */
import { createInterface } from 'node:readline';
import { defaultLimits } from '../limits.ts';
import { endGroup, type ProcessGroup } from './processGroup.ts';

const groups = new Map<number, ProcessGroup>();

createInterface({ input: process.stdin })
	.on('line', (line) => {
		const [number, mark = ''] = line.slice(1).split(' ');
		const id = Number(number);
		// 0 and 1 would mean our own group and the whole machine.
		if (!Number.isInteger(id) || id <= 1) return;
		if (line.startsWith('+')) groups.set(id, { id, mark });
		else groups.delete(id);
	})
	.on('close', () => {
		for (const group of groups.values()) void endGroup(group, defaultLimits.closeTermMs);
	});
