import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const ARGUMENTS = [
	// Root may not use Chromium's sandbox, and only our own loopback pages are opened.
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/** Size of the window in tests and screenshots, in CSS pixels. */
export const VIEWPORT = { width: 1_500, height: 950 };

/** Starts the system's Chromium (`CHROMIUM` names another one), headless unless `HEADED` is set. */
export function launchChromium(): Promise<Browser> {
	const executablePath = process.env.CHROMIUM ?? PLACES.find((place) => existsSync(place));
	if (!executablePath) {
		throw new Error('No Chromium found: apt-get install chromium, or name one in the variable CHROMIUM');
	}
	return chromium.launch({
		executablePath,
		headless: !process.env.HEADED,
		args: ARGUMENTS,
		// Left on, Playwright would exit our process on a signal before it has cleaned up the rest. Chromium ends
		// with us in any case: its debugging pipe closes.
		handleSIGINT: false,
		handleSIGTERM: false,
		handleSIGHUP: false,
	});
}
