import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ContextReport } from '../../../discovery/report/contextReport.ts';
import type { ExportFormat } from '../messages.ts';
import { timelineCsv } from './timelineCsv.ts';

function titleOf(format: ExportFormat): string {
	return format === 'json' ? l10n.t('Export Context as JSON') : l10n.t('Export Timeline as CSV');
}

/** Asks where to, and writes there: the whole report as JSON, or its timeline as CSV. Cancelled, nothing happens. */
export async function exportContext(report: ContextReport, format: ExportFormat): Promise<void> {
	const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
	const name = `discovery-context.${format}`;
	const uri = await vscode.window.showSaveDialog({
		title: titleOf(format),
		filters: { [format.toUpperCase()]: [format] },
		...(folder && { defaultUri: vscode.Uri.joinPath(folder, name) }),
	});
	if (!uri) return;
	const options = { location: vscode.ProgressLocation.Window, title: l10n.t('Exporting the context…') };
	await vscode.window.withProgress(options, () => writeContext(uri, report, format));
	vscode.window.setStatusBarMessage(
		l10n.t('Discovery: exported to {0}.', vscode.workspace.asRelativePath(uri)),
		5000,
	);
}

/** Writes the file, over what was there. */
export async function writeContext(
	uri: vscode.Uri,
	report: ContextReport,
	format: ExportFormat,
): Promise<void> {
	const text =
		format === 'json' ? `${JSON.stringify(report, undefined, '\t')}\n` : timelineCsv(report.timeline);
	await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
}
