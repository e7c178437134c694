import * as l10n from '@vscode/l10n';
import { abortable } from '../../common/cancellation.ts';
import { systemClock } from '../../common/clock.ts';
import type { Disposable } from '../../common/event.ts';
import { inNotification } from '../ui/cancellation.ts';
import { labelText } from '../ui/labelText.ts';

/** After this time, a call is shown in the editor, in milliseconds. */
const shownAfterMs = 3_000;

/** Shows a call of another agent while it runs, once it takes long. `stop`: the user has pressed Cancel. */
export function showLongCall(agent: string, tool: string, stop: () => void): Disposable {
	const ended = Promise.withResolvers<void>();
	const show = () =>
		inNotification(l10n.t('{0} is calling {1}…', labelText(agent), labelText(tool)), ({ signal }) => {
			signal.addEventListener('abort', stop);
			return abortable(ended.promise, signal).catch(() => {});
		});
	const timer = systemClock.after(shownAfterMs, () => void show());
	return {
		dispose: () => {
			timer.dispose();
			ended.resolve();
		},
	};
}
