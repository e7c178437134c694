import { element } from './element.ts';

// Made once: a long chat has hundreds of times, and a format takes longer to make than to use.
const timeOfDay = new Intl.DateTimeFormat([], {
	hour: '2-digit',
	minute: '2-digit',
	second: '2-digit',
	hourCycle: 'h23',
});
const whole = new Intl.DateTimeFormat([], { dateStyle: 'medium', timeStyle: 'medium' });

/** A time of day, with the whole of it for machines and as a tooltip. */
export function timeOf(at: number): HTMLElement {
	const attributes = { datetime: new Date(at).toISOString(), title: whole.format(at) };
	return element('time', attributes, timeOfDay.format(at));
}
