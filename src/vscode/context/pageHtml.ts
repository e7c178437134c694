/** Addresses that a webview may load, as it knows them. */
export interface PageSources {
	readonly script: string;
	readonly style: string;
	/** Where styles may come from, in the words of a content security policy. */
	readonly cspSource: string;
	/** Unguessable; only a script that bears it runs. */
	readonly nonce: string;
}

/** The empty page: all that is in it comes from its script. Nothing inline, nothing from elsewhere. */
export function pageHtml({ script, style, cspSource, nonce }: PageSources): string {
	const policy = `default-src 'none'; style-src ${cspSource}; script-src 'nonce-${nonce}'`;
	return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Context</title>
<link rel="stylesheet" href="${style}">
</head>
<body>
<main id="page"></main>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>
`;
}
