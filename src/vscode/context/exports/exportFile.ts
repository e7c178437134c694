import * as vscode from 'vscode';
import type { ContextReport } from '../../../discovery/report/contextReport.ts';
import type { ExportFormat } from '../messages.ts';
import { timelineCsv } from './timelineCsv.ts';

const formats: Readonly<Record<ExportFormat, { readonly title: string; readonly filter: string }>> = {
	json: { title: 'Export Context as JSON', filter: 'JSON' },
	csv: { title: 'Export Timeline as CSV', filter: 'CSV' },
};

/** Asks where to, and writes there: the whole report as JSON, or its timeline as CSV. Cancelled, nothing happens. */
export async function exportContext(report: ContextReport, format: ExportFormat): Promise<void> {
	const { title, filter } = formats[format];
	const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
	const name = `discovery-context.${format}`;
	const uri = await vscode.window.showSaveDialog({
		title,
		filters: { [filter]: [format] },
		...(folder && { defaultUri: vscode.Uri.joinPath(folder, name) }),
	});
	if (!uri) return;
	const options = { location: vscode.ProgressLocation.Window, title: 'Exporting the context…' };
	await vscode.window.withProgress(options, () => writeContext(uri, report, format));
	vscode.window.setStatusBarMessage(`Discovery: exported to ${vscode.workspace.asRelativePath(uri)}.`, 5000);
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
