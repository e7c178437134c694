import * as l10n from '@vscode/l10n';
import { element, type PageNode } from '../../ui/page/element.ts';

/** How long something took: `120 ms`, `3.2 s`. */
export function duration(ms: number): string {
	return ms < 1000 ? l10n.t('{0} ms', Math.round(ms)) : l10n.t('{0} s', (ms / 1000).toFixed(1));
}

// Made once: a long chat shows hundreds of times, and making a format takes longer than using it.
const timeOfDay = new Intl.DateTimeFormat([], {
	hour: '2-digit',
	minute: '2-digit',
	second: '2-digit',
	hourCycle: 'h23',
});
const wholeTime = new Intl.DateTimeFormat([], { dateStyle: 'medium', timeStyle: 'medium' });

/** A time of day; its tooltip has the date, too. */
export function timeOf(at: number): PageNode {
	const attributes = { datetime: new Date(at).toISOString(), title: wholeTime.format(at) };
	return element('time', attributes, timeOfDay.format(at));
}
