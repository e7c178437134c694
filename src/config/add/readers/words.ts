import * as l10n from '@vscode/l10n';
import { quoted } from '../../file/jsonPath.ts';
import { addressFault } from '../../servers/address.ts';
import { draftsOf, fault } from '../draftsOf.ts';
import type { Drafts } from '../serverDraft.ts';
import { nameOfAddress, nameOfPackage } from '../serverNames.ts';
import { linkedServer } from './links.ts';

/** Reads a single word: an address, a link, a package. `undefined`: it is none of these. */
export function readWord(word: string): Drafts | undefined {
	if (/\s/.test(word)) return undefined;
	const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(word)?.[1]?.toLowerCase();
	if (scheme !== undefined && !/^[A-Za-z]:[\\/]/.test(word)) return readAddress(word, scheme);
	if (/^(@[\w.~-]+\/[\w.~-]+)(@[\w.+-]+)?$/.test(word)) return npmPackage(word);
	const isImage = /^[\w.-]+\.[a-z]+(:\d+)?\/[\w./-]+(:[\w.-]+)?$/.test(word) && !word.includes('..');
	if (isImage) return containerImage(word);
	if (/^[A-Za-z][\w.~-]*(@[\w.+-]+)?$/.test(word)) return { servers: [], faults: [], words: word };
	return undefined;
}

export function npmPackage(name: string): Drafts {
	return draftsOf({ name: nameOfPackage(name), entry: { command: 'npx', args: ['-y', name] } });
}

/** A server in a Python package, which `uvx` downloads and runs. */
export function pythonPackage(name: string): Drafts {
	return draftsOf({ name: nameOfPackage(name), entry: { command: 'uvx', args: [name] } });
}

export function containerImage(name: string): Drafts {
	const args = ['run', '-i', '--rm', name];
	return draftsOf({ name: nameOfPackage(name), entry: { command: 'docker', args } });
}

function readAddress(word: string, scheme: string): Drafts {
	const link = linkedServer(word);
	if (link) return link;
	if (scheme !== 'http' && scheme !== 'https')
		return fault(
			l10n.t('Server URLs must start with http:// or https://. {0} is not supported.', quoted(`${scheme}:`)),
		);
	const url = URL.parse(word);
	const page = url && pageOf(url);
	if (page) return page;
	const wrong = addressFault(word);
	// A user name and password are moved into a header later.
	if (wrong !== undefined && !(url && url.username + url.password !== ''))
		return fault(`${wrong.charAt(0).toUpperCase()}${wrong.slice(1)}.`);
	return draftsOf({ name: nameOfAddress(word), entry: { url: word } });
}

/** The package or repository that a web page is about: people copy these addresses too. `undefined`: another address. */
function pageOf({ hostname, pathname }: URL): Drafts | undefined {
	const path = pathname.split('/').filter((part) => part !== '');
	if (/^(www\.)?npmjs\.com$/.test(hostname) && path[0] === 'package')
		return npmPackage(path.slice(1, path[1]?.startsWith('@') ? 3 : 2).join('/'));
	if (hostname === 'pypi.org' && path[0] === 'project' && path[1]) return pythonPackage(path[1]);
	if (hostname === 'hub.docker.com' && path[0] === 'r' && path.length >= 3)
		return containerImage(path.slice(1, 3).join('/'));
	const isRepository = /^(www\.)?(github\.com|gitlab\.com|bitbucket\.org)$/.test(hostname);
	if (!isRepository || path.length < 2) return undefined;
	return fault(l10n.t('This URL is a repository page. Paste the command or the JSON from its readme.'));
}
