// Runs in the page before the workbench (test/host/browserHost.ts and the bench put it there). The workbench takes an extension under
// development from the address only with its smoke-test driver on, which the server states in a JSON attribute of the
// page: turn it on as the page reads that attribute. (Changing the response on its way instead makes Chromium take
// the page for one from the public network, which may not open sockets to this machine.)
const getAttribute = Element.prototype.getAttribute;
Element.prototype.getAttribute = function (name) {
	const value = getAttribute.call(this, name);
	if (name !== 'data-settings' || this.id !== 'vscode-workbench-web-configuration') return value;
	const settings = JSON.parse(value);
	settings.developmentOptions = { ...settings.developmentOptions, enableSmokeTestDriver: true };
	return JSON.stringify(settings);
};
