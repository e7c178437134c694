/**
 * A process of its own that outlives the extension host for a moment: when the host goes, however it goes, the pipe
 * to it ends, and what the host has started is ended too. Its input is a line for each change: `+123 mark` a process group
 * started, `-123` it ended. An entry point: it is bundled by itself and run by path.
 */
import { createInterface } from 'node:readline';
import { defaultLimits } from '../limits.ts';
import { endGroup, type ProcessGroup } from './processGroup.ts';

const groups = new Map<number, ProcessGroup>();

createInterface({ input: process.stdin })
	.on('line', (line) => {
		const [number, mark = ''] = line.slice(1).split(' ');
		const id = Number(number);
		// 0 and 1 would name our own group and the whole machine.
		if (!Number.isInteger(id) || id <= 1) return;
		if (line.startsWith('+')) groups.set(id, { id, mark });
		else groups.delete(id);
	})
	.on('close', async () => {
		await Promise.all([...groups.values()].map((group) => endGroup(group, defaultLimits.closeTermMs)));
	});
