import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';
import { run } from './childProcess.ts';
import { chromiumPackage, ensure } from './install/install.mjs';
import { PROJECT_NODE } from './projectPaths.ts';

const { env } = process;
/** Where each platform installs Chrome, Chromium and Edge, best first. */
const PLACES: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
	linux: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'].map(
		(name) => `/usr/bin/${name}`,
	),
	darwin: ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
		(name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
	),
	win32: [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].flatMap((folder) =>
		folder
			? [
					`${folder}\\Google\\Chrome\\Application\\chrome.exe`,
					`${folder}\\Microsoft\\Edge\\Application\\msedge.exe`,
				]
			: [],
	),
};
const ARGUMENTS = [
	// Root cannot use Chromium's sandbox, and only our own loopback pages are opened.
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

/** A busy machine takes longer than Playwright's 30 s to send the first page of VS Code. */
const NAVIGATION_LIMIT_MS = 120_000;

/** An executable browser, and the variables that it needs besides ours. */
interface Executable {
	readonly file: string;
	readonly env?: Readonly<Record<string, string>>;
}

/**
 * The machine's Chrome, Chromium or Edge (`CHROMIUM` overrides it), else one from npm. Only one process installs that at a time.
 */
export async function findBrowser(): Promise<Executable> {
	const file = env.CHROMIUM ?? PLACES[process.platform]?.find((place) => existsSync(place));
	if (file) return { file };
	if (process.platform === 'linux' && process.arch === 'x64') return packedChromium();
	throw new Error('No Chrome, Chromium or Edge found. Install one, or set CHROMIUM to its path.');
}

/** Installs and unpacks the Chromium from npm, with the libraries and the font that a bare machine lacks. */
async function packedChromium(): Promise<Executable> {
	await ensure(chromiumPackage);
	const folder = path.join(chromiumPackage.folder, 'unpacked');
	if (!existsSync(folder)) {
		const draft = `${folder}.${process.pid}`;
		mkdirSync(draft);
		const unpack = "import('@sparticuz/chromium').then((package_) => package_.default.executablePath())";
		await run(PROJECT_NODE, ['--eval', unpack], {
			cwd: chromiumPackage.folder,
			output: 'pipe',
			// The package unpacks into the folder for temporary files, and unpacks its libraries only if it detects a bare
			// container.
			env: { TMPDIR: draft, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' },
		});
		writeFileSync(path.join(draft, 'fonts.conf'), fontConfiguration(folder));
		renameSync(draft, folder);
	}
	return {
		file: path.join(folder, 'chromium'),
		env: {
			LD_LIBRARY_PATH: path.join(folder, 'al2023/lib'),
			FONTCONFIG_FILE: path.join(folder, 'fonts.conf'),
		},
	};
}

/** The machine's fonts, if any, and the packed one. */
function fontConfiguration(folder: string): string {
	const folders = ['/usr/share/fonts', '/usr/local/share/fonts', `${folder}/fonts`].map(
		(each) => `<dir>${each}</dir>`,
	);
	return `<?xml version="1.0"?><fontconfig>${folders.join('')}<cachedir>${folder}/cache</cachedir></fontconfig>\n`;
}

/**
 * Starts a browser, headless unless `HEADED` is set. Its pages share the profile in `folder`: a page reuses what earlier pages fetched and
 * compiled, which makes VS Code open a third faster. Nothing moves, so tests need not wait for animations, nor does the processor paint them.
 */
export async function launchWithProfile(folder: string): Promise<BrowserContext> {
	const browser = await findBrowser();
	const context = await chromium.launchPersistentContext(folder, {
		executablePath: browser.file,
		headless: !env.HEADED,
		args: ARGUMENTS,
		...(browser.env && { env: { ...env, ...browser.env } as Record<string, string> }),
		viewport: VIEWPORT,
		reducedMotion: 'reduce',
		// By default, Playwright exits our process on a signal before it has cleaned up. Chromium ends with us in any case,
		// because its debugging pipe closes.
		handleSIGINT: false,
		handleSIGTERM: false,
		handleSIGHUP: false,
	});
	context.setDefaultNavigationTimeout(NAVIGATION_LIMIT_MS);
	await context.addInitScript(stopMotion);
	return context;
}

/** Runs in each page and frame. VS Code goes on with some animations even if motion is reduced. */
function stopMotion(): void {
	const sheet = new CSSStyleSheet();
	sheet.replaceSync('*, ::before, ::after { animation: none !important; transition: none !important }');
	document.adoptedStyleSheets.push(sheet);
}
