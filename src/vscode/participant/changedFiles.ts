import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { LoopEvent } from '../../chat/loopEvent.ts';
import type { ToolCall } from '../../discovery/catalog/message.ts';

/** Longest argument that may be a path, in UTF-16 units. */
const longestPath = 1_000;
/** Limits on the paths to look up and on the links, per answer. */
const mostPaths = 50;
const mostFiles = 10;

/** The files that the calls of one answer may have created or changed. */
export class ChangedFiles {
	readonly #folders: readonly string[];
	readonly #paths = new Set<string>();

	/** `folders`: of the workspace. */
	constructor(folders: readonly string[]) {
		this.#folders = folders;
	}

	/** Notes paths in the arguments of a successful call, unless its tool is read-only. */
	note(event: LoopEvent): void {
		if (event.type !== 'toolFinished' || event.result.isError || event.result.declined) return;
		const { tool, call } = event;
		if (!tool || tool.annotations?.readOnlyHint === true) return;
		for (const file of pathsIn(call.input, this.#folders))
			if (this.#paths.size < mostPaths) this.#paths.add(file);
	}

	/** The noted paths that are files inside the workspace, in the order of the calls. A symbolic link that leads outside does not count. */
	async existing(): Promise<readonly string[]> {
		const inside = await Promise.all([...this.#paths].map((file) => isFileIn(file, this.#folders)));
		return [...this.#paths].filter((_, i) => inside[i]).slice(0, mostFiles);
	}
}

/** Absolute paths inside the folders that the arguments may mean. */
function pathsIn(input: ToolCall['input'], folders: readonly string[]): readonly string[] {
	return Object.values(input)
		.filter((value) => typeof value === 'string')
		.filter((value) => value.length <= longestPath && /\S/.test(value) && !/[\r\n\0]/.test(value))
		.flatMap((value) => folders.map((folder) => path.resolve(folder, value)))
		.filter((file) => folders.some((folder) => isInside(file, folder)));
}

function isInside(file: string, folder: string): boolean {
	const relative = path.relative(folder, file);
	return relative !== '' && relative.split(path.sep)[0] !== '..' && !path.isAbsolute(relative);
}

async function isFileIn(file: string, folders: readonly string[]): Promise<boolean> {
	try {
		if (!(await stat(file)).isFile()) return false;
		const real = await realpath(file);
		const roots = await Promise.all(folders.map((folder) => realpath(folder)));
		return roots.some((root) => isInside(real, root));
	} catch {
		return false;
	}
}
