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

/** The Git tag of the original state of a copy. */
const AS_COPIED = 'as-copied';

/**
 * Copies a workspace into a temporary folder; its node_modules is linked, not copied. The sample becomes a Git repository with an
 * uncommitted change, so that there is something to ask about.
 */
export async function copyWorkspace(workspace = EXAMPLE_WORKSPACE): Promise<string> {
	// One level down, so that the folder keeps its name, which VS Code shows.
	const folder = path.join(mkdtempSync(path.join(tmpdir(), 'workspace-')), path.basename(workspace));
	const modules = path.join(workspace, 'node_modules');
	cpSync(workspace, folder, { recursive: true, filter: (source) => source !== modules });
	if (existsSync(modules)) symlinkSync(modules, path.join(folder, 'node_modules'), 'junction');
	if (workspace === EXAMPLE_WORKSPACE) await makeRepository(folder);
	return folder;
}

async function makeRepository(folder: string): Promise<void> {
	const git = (...args: readonly string[]) => run('git', ['-C', folder, ...args], { output: 'pipe' });
	await git('init', '--quiet', '--initial-branch=main');
	// Git may have no user name on this machine. Without one, the sample's Git server could not commit.
	await git('config', 'user.name', 'Sample');
	await git('config', 'user.email', 'sample@example.invalid');
	await git('config', 'commit.gpgsign', 'false');
	await git('add', '--all');
	await git('commit', '--quiet', '--message=The sample workspace');
	await git('tag', AS_COPIED);
	change(folder);
}

/** Restores a copy of the sample to its original state. */
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
 * Creates a workspace of two folders, `app` and `web`, in a temporary place, and returns its file. Each folder has a server
 * `files` that works on the folder.
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

/** Deletes what {@link copyWorkspace} or {@link makeFolders} created. */
export function deleteWorkspaceCopy(folder: string): void {
	rmSync(path.dirname(folder), { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
