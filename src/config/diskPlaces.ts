import * as l10n from '@vscode/l10n';
import { findNodeAtLocation } from 'jsonc-parser';
import { type Config, type ConfigProblem, serverSections } from './config.ts';
import { parseDocument, withoutByteOrderMark } from './document.ts';
import { type Path, quoted } from './place.ts';
import { ProblemReport } from './problemReport.ts';
import { suggestion } from './suggestion.ts';

/** What is found on disk where a configuration names a folder. */
export type FolderState = 'inside' | 'outside' | 'missing';

/** Answers what only the disk knows. */
export interface Disk {
	/** `folder`: absolute. `inside`: of one of the workspace's folders. */
	folderState(folder: string): Promise<FolderState>;
	/** Names of the templates beside the configuration, without `.j2`. */
	templates(): Promise<readonly string[]>;
}

/** Warnings for folders and templates that a well-formed configuration names: missing ones, and folders outside of the workspace. */
export async function diskProblems(
	text: string,
	config: Config,
	disk: Disk,
): Promise<readonly ConfigProblem[]> {
	const shown = withoutByteOrderMark(text);
	const { root } = parseDocument(shown);
	if (!root) return [];
	const report = new ProblemReport(shown, root, []);
	for (const [name, launch] of config.launches) {
		const path = serverSections
			.map((section) => [section, name, 'cwd'])
			.find((place) => findNodeAtLocation(root, place));
		if (launch.kind === 'stdio' && path) tellOfFolder(await disk.folderState(launch.cwd), path, report);
	}
	const named = [...config.models].filter(([, { template }]) => template !== undefined);
	const templates = named.length > 0 ? await disk.templates() : [];
	for (const [name, { template = '' }] of named) {
		if (!templates.includes(template))
			tellOfTemplate(template, ['models', name, 'template'], templates, report);
	}
	return report.problems;
}

function tellOfFolder(state: FolderState, path: Path, report: ProblemReport): void {
	switch (state) {
		case 'inside':
			return;
		case 'missing':
			report.warning(
				path,
				l10n.t('there is no such folder, so the server cannot start; create it or correct this'),
				{
					reason: { kind: 'no-folder' },
				},
			);
			return;
		case 'outside':
			report.warning(path, l10n.t('the server starts outside of the workspace; be sure that you want it'));
			return;
	}
}

function tellOfTemplate(template: string, path: Path, names: readonly string[], report: ProblemReport): void {
	const meant = suggestion(template, names);
	const file = quoted(`prompt-templates/${template}.j2`);
	const message =
		meant === undefined
			? l10n.t('there is no file {0}', file)
			: l10n.t('there is no file {0}; did you mean {1}?', file, meant);
	report.warning(path, message, { reason: { kind: 'no-template', names } });
}
