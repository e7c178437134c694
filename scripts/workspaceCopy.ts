import {
	appendFileSync,
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from './childProcess.ts';
import { EXAMPLE_WORKSPACE } from './projectPaths.ts';

/** Names the state of the sample in its copy. */
const AS_COPIED = 'as-copied';

/**
 * Copies a workspace into a temporary folder that may be changed; its node_modules are linked, not copied. The sample
 * becomes a Git repository of its own with a change that is not committed, so that there is something to ask about.
 */
export async function copyWorkspace(workspace = EXAMPLE_WORKSPACE): Promise<string> {
	// One level down, so that the folder keeps its name, which VS Code shows.
	const folder = path.join(mkdtempSync(path.join(tmpdir(), 'workspace-')), path.basename(workspace));
	const modules = path.join(workspace, 'node_modules');
	cpSync(workspace, folder, { recursive: true, filter: (source) => source !== modules });
	if (existsSync(modules)) symlinkSync(modules, path.join(folder, 'node_modules'), 'dir');
	if (workspace === EXAMPLE_WORKSPACE) await makeRepository(folder);
	return folder;
}

async function makeRepository(folder: string): Promise<void> {
	const git = (...args: readonly string[]) => run('git', ['-C', folder, ...args], { output: 'pipe' });
	await git('init', '--quiet', '--initial-branch=main');
	// Whoever runs this may not have told Git a name, without which the sample's Git server could not commit either.
	await git('config', 'user.name', 'Sample');
	await git('config', 'user.email', 'sample@example.invalid');
	await git('config', 'commit.gpgsign', 'false');
	await git('add', '--all');
	await git('commit', '--quiet', '--message=The sample workspace');
	await git('tag', AS_COPIED);
	change(folder);
}

/** Makes a copy of the sample what it was when it was made, whatever was done in it since. */
export async function restoreSample(folder: string): Promise<void> {
	await run('git', ['-C', folder, 'reset', '--quiet', '--hard', AS_COPIED], { output: 'pipe' });
	await run('git', ['-C', folder, 'clean', '--quiet', '--force', '-dx', '--exclude=node_modules'], {
		output: 'pipe',
	});
	change(folder);
}

function change(folder: string): void {
	appendFileSync(path.join(folder, 'notes/shopping.md'), '- oat biscuits\n');
}

/**
 * Makes a workspace of two folders, `app` and `web`, in a temporary place; returns its file. Each has a server `files`, one of the sample's,
 * that works on its own folder.
 */
export function makeFolders(): string {
	const root = mkdtempSync(path.join(tmpdir(), 'workspace-'));
	const program = path.join(
		EXAMPLE_WORKSPACE,
		'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js',
	);
	for (const folder of ['app', 'web']) {
		const files = { command: 'node', args: [program, `\${workspaceFolder}`], defer_loading: true };
		mkdirSync(path.join(root, folder));
		writeFileSync(
			path.join(root, folder, 'casual_mcp_config.json'),
			`${JSON.stringify({ servers: { files }, tool_discovery: { enabled: folder === 'app' } }, null, '\t')}\n`,
		);
	}
	const file = path.join(root, 'both.code-workspace');
	writeFileSync(file, JSON.stringify({ folders: [{ path: 'app' }, { path: 'web' }] }));
	return file;
}

/** Deletes what {@link copyWorkspace} or {@link makeFolders} made. */
export function deleteWorkspaceCopy(folder: string): void {
	rmSync(path.dirname(folder), { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
