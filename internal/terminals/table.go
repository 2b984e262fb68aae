package terminals

import "slices"

// All returns every operation, in the order of the reference.
func All() []*Operation {
	return slices.Concat([]*Operation{
		&GetServer.Operation, &GetPersistence.Operation, &SetPersistence.Operation, &StopServer.Operation,
		&CreateToken.Operation, &ListTokens.Operation, &WithdrawToken.Operation,
		&ListArchive.Operation, &GetArchived.Operation,
		&CreateSession.Operation, &ListSessions.Operation, &GetSession.Operation, &RemoveSession.Operation, &GetJob.Operation,
		&UpdateSession.Operation, &RenameSession.Operation, &TagSession.Operation, &ResizeSession.Operation, &SignalSession.Operation, &DetachClients.Operation, &LeadSession.Operation,
		Attach, Watch, ReadOutput, Join, Follow,
		&SendInput.Operation, &PressKeys.Operation, &PasteText.Operation, &MoveMouse.Operation, &GetTyped.Operation, &AwaitTyped.Operation,
		&RunCommand.Operation, &AwaitIdle.Operation, &AwaitAnyIdle.Operation, &AwaitText.Operation, &AwaitPrompt.Operation, &AwaitState.Operation, &AwaitKeys.Operation, &AwaitExit.Operation,
		&GetScreen.Operation, &AwaitScreen.Operation, &GetChanges.Operation, &GetPicture.Operation, &DrawPicture.Operation, &GetScrollback.Operation, &SearchScrollback.Operation, &ListCommands.Operation, &GetCommandOutput.Operation, &StartRecording.Operation, &StopRecording.Operation, &RemoveRecording.Operation, &AwaitRecording.Operation, &GetRecording.Operation,
		&GetScreenMode.Operation, &EnterAltScreen.Operation, &ExitAltScreen.Operation,
	}, Overlays.all(), Panels.all(), []*Operation{
		&ApplyElements.Operation,
		&GetInputMode.Operation, &CaptureInput.Operation, &ReleaseInput.Operation, &TakeKeyboard.Operation, &GiveKeyboard.Operation,
		&GetFocus.Operation, &FocusElement.Operation, &ClearFocus.Operation,
	})
}
