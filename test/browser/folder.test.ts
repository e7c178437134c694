// A person opens a folder that is not theirs. All of it happens in one window, so each part goes on where the part before it ended.
import './folder/trust.ts';
import './folder/noConfiguration.ts';
import './folder/addServers.ts';
import './folder/importServers.ts';
