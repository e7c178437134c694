/** What a page is made of: addresses in the form that its webview can load, and its language. */
interface PageSources {
	readonly title: string;
	readonly script: string;
	readonly style: string;
	/** Where styles may come from, in the words of a content security policy. */
	readonly cspSource: string;
	/** Unguessable; only a script that has it runs. */
	readonly nonce: string;
	/** A BCP 47 tag: `de`. */
	readonly language: string;
	/** The texts in that language by the English ones; absent: English. */
	readonly texts?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * The empty page, which its script fills. Nothing inline can run, and nothing is loaded from elsewhere. The texts stand in an attribute: it
 * is there before the script runs, and needs no exception from the content security policy.
 */
export function pageHtml({ title, script, style, cspSource, nonce, language, texts }: PageSources): string {
	const policy = `default-src 'none'; style-src ${cspSource}; script-src 'nonce-${nonce}'`;
	const translated = texts ? ` data-texts="${attribute(JSON.stringify(texts))}"` : '';
	return `<!DOCTYPE html>
<html lang="${attribute(language)}">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${attribute(title)}</title>
<link rel="stylesheet" href="${style}">
</head>
<body${translated}>
<main id="page"></main>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>
`;
}

/** A text escaped for an attribute or an element. */
function attribute(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
