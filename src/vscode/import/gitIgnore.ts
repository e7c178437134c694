import { execFile } from 'node:child_process';

/** Longest wait for Git, in milliseconds. */
const gitLimitMs = 5000;

/** Whether Git would take a file of a folder into a commit: it is in a repository, and nothing ignores it. False without Git. */
export function couldBeCommitted(folder: string, file: string): Promise<boolean> {
	return new Promise((resolve) => {
		const options = { cwd: folder, timeout: gitLimitMs, windowsHide: true };
		execFile('git', ['check-ignore', '--quiet', '--', file], options, (error) => {
			// 0: ignored; 1: not ignored; 128: no repository.
			resolve(error?.code === 1);
		});
	});
}

/** The text of a `.gitignore` with a line added at its end. */
export function withIgnored(text: string, file: string): string {
	const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
	const start = text === '' || text.endsWith('\n') ? text : text + lineEnd;
	return start + file + lineEnd;
}
